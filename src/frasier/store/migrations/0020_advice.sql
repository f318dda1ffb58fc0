-- What the founder is advised to do about a question and after an answer, as actions that each interface renders.
alter table org_questions add column advice jsonb not null default '[]' check (jsonb_typeof(advice) = 'array');
alter table org_messages add column advice jsonb not null default '[]' check (jsonb_typeof(advice) = 'array');
