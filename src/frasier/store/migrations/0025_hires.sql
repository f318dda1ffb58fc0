-- Hires: colleagues that a plan or the founder asks for by the title of their trade. One who waits for the founder's
-- decision is `proposed`: they have a name and a first persona, and no work.
alter table org_agents
    drop constraint org_agents_status_check,
    add constraint org_agents_status_check check (status in ('proposed', 'active', 'dormant', 'retired'));

-- Whether a colleague is hired is a question of the founder's.
alter table org_questions
    drop constraint org_questions_kind_check,
    add constraint org_questions_kind_check
        check (kind in ('blocked', 'escalation', 'strikes', 'plan', 'clarification', 'hire'));

-- What a persona was written from, a line each.
alter table org_personas add column sources text[] not null default '{}';

create table org_hires (
    agent_id uuid primary key references org_agents,
    -- The words of the title that name the trade, so that two who need it at once hire once.
    title_key text not null check (title_key <> ''),
    reason text not null,
    -- The mission that asked first; none where the founder hired.
    mission_id uuid references org_missions,
    expected_usd_micros bigint not null check (expected_usd_micros >= 0),
    state text not null check (state in ('proposed', 'made', 'refused', 'ended')),
    -- Why it was made or has to be asked about, by which rule of which policy.
    why text not null,
    persona text not null default 'first' check (persona in ('first', 'researched', 'refused')),
    -- The task that writes the persona: another mission that waits for the same colleague does not pay for it again.
    writer uuid,
    proposed_at timestamptz not null default frasier_now(),
    decided_at timestamptz,
    decided_by text,
    constraint hire_is_decided_by_somebody check ((state = 'proposed') = (decided_at is null)),
    constraint hire_decision_has_an_actor check ((decided_at is null) = (decided_by is null))
);
create unique index org_hires_open on org_hires (title_key) where state in ('proposed', 'made');
create index org_hires_mission on org_hires (mission_id);
