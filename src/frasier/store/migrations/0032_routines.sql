-- Team routines: stand-ups, brainstorms, debates and mentoring. Each is a task with a transcript, a cost and one outcome.
create table org_routines (
    task_id uuid primary key,
    kind text not null check (kind in ('stand_up', 'brainstorm', 'debate', 'mentoring')),
    subject text not null check (subject <> ''),
    -- None for a stand-up.
    mission_id uuid references org_missions,
    -- The version that a debate or mentoring is about.
    deliverable_id uuid references org_deliverables,
    -- The team of a stand-up, empty for everybody's, and its day (UTC).
    team text not null default '',
    day date not null default (frasier_now() at time zone 'UTC')::date,
    created_at timestamptz not null default frasier_now(),
    began_at timestamptz,
    ends_by timestamptz,
    -- What it may spend, held from the budget of routines until it has ended.
    cap_usd_micros bigint check (cap_usd_micros >= 0),
    ended_at timestamptz,
    outcome text check (outcome in ('lesson', 'decision', 'proposal', 'blocker', 'none')),
    -- The outcome in words, or why there is none; and what became of it.
    result text not null default '',
    effect text not null default '',
    constraint routine_that_began_is_bounded
        check ((began_at is null) = (cap_usd_micros is null) and (began_at is null) = (ends_by is null)),
    constraint routine_that_ended_has_an_outcome
        check ((ended_at is null) = (outcome is null) and (outcome is null or result <> '')),
    constraint routine_of_a_mission check ((kind = 'stand_up') = (mission_id is null)),
    constraint routine_about_a_version check ((kind in ('debate', 'mentoring')) = (deliverable_id is not null))
);
-- Nothing is held twice; a stand-up that came to nothing may be held again.
create unique index org_routines_stand_up on org_routines (team, day)
    where kind = 'stand_up' and outcome is distinct from 'none';
create unique index org_routines_brainstorm on org_routines (mission_id) where kind = 'brainstorm';
create unique index org_routines_of_version on org_routines (deliverable_id, kind) where deliverable_id is not null;
create index org_routines_mission on org_routines (mission_id);
create index org_routines_began on org_routines (began_at);

create table org_routine_turns (
    task_id uuid not null references org_routines,
    number integer not null check (number > 0),
    agent_id uuid not null references org_agents,
    said text not null check (said <> ''),
    at timestamptz not null default frasier_now(),
    primary key (task_id, number)
);

-- A verdict that a debate of its reviewers set aside does not count any more; its scores and words are kept.
alter table org_reviews
    drop constraint org_reviews_state_check,
    add constraint org_reviews_state_check
        check (state in ('pending', 'approved', 'rejected', 'withdrawn', 'set_aside'));

-- The outcome of a stand-up is a question of the founder's.
alter table org_questions
    drop constraint org_questions_kind_check,
    add constraint org_questions_kind_check
        check (kind in ('blocked', 'escalation', 'strikes', 'plan', 'clarification', 'hire', 'trial', 'routine'));
