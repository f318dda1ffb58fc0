-- Plans are proposed with their staffing and estimate, and decided by the founder where one is asked.

alter table org_plans
    add column state text not null default 'refused',
    add column origin text not null default 'planner',
    add column staffing jsonb not null default '{}' check (jsonb_typeof(staffing) = 'object'),
    add column digest text not null default '',
    add column estimate jsonb check (jsonb_typeof(estimate) = 'object'),
    add column accepted_at timestamptz;
update org_plans set state = 'accepted', accepted_at = created_at where accepted;
alter table org_plans
    drop column accepted,
    add constraint org_plans_state check (state in ('refused', 'proposed', 'approved', 'accepted', 'rejected', 'replaced')),
    add constraint org_plans_origin check (origin in ('planner', 'founder', 'default', 'direct')),
    add constraint org_plans_issues check ((state = 'refused') or issues = '{}'),
    add constraint org_plans_accepted_at check ((state = 'accepted') = (accepted_at is not null));
-- A mission has one plan that can still begin or has begun.
create unique index org_plans_open on org_plans (mission_id) where state in ('proposed', 'approved', 'accepted');

alter table org_questions
    add column digest text not null default '',
    drop constraint org_questions_kind_check,
    add constraint org_questions_kind_check
        check (kind in ('blocked', 'escalation', 'strikes', 'plan', 'clarification'));

alter table org_missions
    add column asks_plan boolean not null default false,
    add column may_ask boolean not null default true;
