-- Improvement proposals: what a knowledge task proposes from the figures of post-mortems, and what was decided.
create table org_improvement_readings (
    task_id uuid primary key,
    -- What the task may spend.
    cap_usd_micros bigint not null check (cap_usd_micros > 0),
    asked_by text not null check (asked_by <> ''),
    created_at timestamptz not null default frasier_now()
);

create table org_improvements (
    id uuid primary key,
    task_id uuid not null references org_improvement_readings,
    number integer not null check (number > 0),
    kind text not null check (kind in ('persona', 'skill', 'prompt', 'policy')),
    -- The key of an agent, or the name of a skill, a prompt or a policy.
    target text not null check (target <> ''),
    title text not null check (title <> ''),
    change text not null,
    -- The rules of a policy that change, with their values.
    rules jsonb not null default '{}',
    why text not null check (why <> ''),
    -- The figures of post-mortems that it rests on.
    figures jsonb not null,
    state text not null check (state in ('proposed', 'accepted', 'refused')),
    reason text not null default '',
    decided_by text not null default '',
    decided_at timestamptz,
    -- What became of it when it was accepted.
    effect text not null default '',
    created_at timestamptz not null default frasier_now(),
    unique (task_id, number),
    constraint improvement_that_waits_is_not_decided
        check ((state = 'proposed') = (decided_at is null) and (state = 'proposed') = (decided_by = ''))
);
create index org_improvements_created on org_improvements (created_at desc);

-- The missions whose figures were noted for an accepted improvement; the figures are in its events.
create table org_improvement_measurements (
    improvement_id uuid not null references org_improvements,
    mission_id uuid not null references org_missions,
    at timestamptz not null default frasier_now(),
    primary key (improvement_id, mission_id)
);
