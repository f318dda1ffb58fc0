-- What the founder says about a mission, what comes with a message, and what was changed of a mission that runs.

-- A question about a mission, a wish for a new version of its result, or a change of what is not done yet; of an answer
-- from the evidence of a mission, the verdicts on its statements.
alter table org_messages
    add column intent text not null default 'say' check (intent in ('say', 'ask', 'revise', 'steer')),
    add column verification jsonb,
    add constraint a_mission_is_talked_about check (intent = 'say' or mission_id is not null);
create index org_messages_amendments on org_messages (mission_id, created_at) where intent in ('revise', 'steer');

-- The files and links of a message, as text, or why they could not be read.
create table org_message_attachments (
    message_id uuid not null references org_messages,
    number integer not null check (number > 0),
    kind text not null check (kind in ('file', 'web')),
    name text not null check (name <> ''),
    title text not null,
    sha256 text,
    content text,
    marks jsonb not null default '[]',
    problem text,
    primary key (message_id, number),
    unique (message_id, kind, name),
    constraint read_or_told_why check ((content is null) = (problem is not null) and (content is null) = (sha256 is null))
);

-- How often the assignment of a step was changed, and whether the step was taken out of its mission.
alter table org_steps
    add column edition integer not null default 1 check (edition > 0),
    add column removed boolean not null default false,
    add constraint the_final_step_stays check (not (removed and is_final));
