-- Upskilling: a new version of a persona is written with a hypothesis, and proves itself in a trial before it comes into force.
create table org_trials (
    id uuid primary key,
    agent_id uuid not null references org_agents,
    trigger text not null check (trigger in ('strike', 'scores', 'founder')),
    why text not null check (why <> ''),
    -- The steps whose rejected versions are studied; they are no pairs of the trial.
    studied uuid[] not null default '{}',
    -- The task that writes the candidate.
    task_id uuid not null references workflow_tasks,
    state text not null default 'writing'
        check (state in ('writing', 'proposed', 'running', 'kept', 'not_kept', 'refused')),
    baseline integer not null check (baseline > 0),
    candidate integer check (candidate > baseline),
    hypothesis text not null default '',
    -- The rules that hold for this trial, whatever the policy says later.
    max_pairs integer not null check (max_pairs > 0),
    alpha double precision not null check (alpha > 0 and alpha < 1),
    minimum_effect double precision not null check (minimum_effect >= 0),
    cap_usd_micros bigint not null check (cap_usd_micros >= 0),
    days integer not null check (days > 0),
    -- What a pair is expected to cost, as it was shown before the trial began.
    pair_usd_micros bigint not null default 0 check (pair_usd_micros >= 0),
    outcome text check (outcome in ('helps', 'harms', 'not_shown', 'cap', 'time', 'declined', 'replaced', 'left', 'faults')),
    report text not null default '',
    created_at timestamptz not null default frasier_now(),
    started_at timestamptz,
    ended_at timestamptz,
    constraint trial_has_ended_with_an_outcome
        check ((state in ('kept', 'not_kept', 'refused')) = (ended_at is not null) and (ended_at is null) = (outcome is null)),
    constraint trial_has_a_candidate check (state in ('writing', 'refused') or candidate is not null),
    constraint only_what_helps_is_kept check ((state = 'kept') = (outcome is not distinct from 'helps'))
);
create unique index org_trials_open on org_trials (agent_id) where ended_at is null;
create index org_trials_agent on org_trials (agent_id, created_at);
create unique index org_trials_task on org_trials (task_id);

create table org_trial_pairs (
    trial_id uuid not null references org_trials,
    number integer not null check (number > 0),
    step_id uuid not null references org_steps,
    task_id uuid not null unique references workflow_tasks,
    -- Work that was reviewed before the trial began, or after.
    source text not null check (source in ('held_back', 'following')),
    state text not null default 'open' check (state in ('open', 'compared', 'void')),
    before_score double precision check (before_score between 1 and 5),
    after_score double precision check (after_score between 1 and 5),
    judge uuid references org_agents,
    note text not null default '',
    compared_at timestamptz,
    primary key (trial_id, number),
    unique (trial_id, step_id),
    constraint compared_pair_has_scores check ((state = 'compared') =
        (before_score is not null and after_score is not null and judge is not null and compared_at is not null))
);

alter table org_questions
    drop constraint org_questions_kind_check,
    add constraint org_questions_kind_check
        check (kind in ('blocked', 'escalation', 'strikes', 'plan', 'clarification', 'hire', 'trial'));
