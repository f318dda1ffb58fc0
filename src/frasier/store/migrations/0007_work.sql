-- Runs and their phases, the results that a run has stored so far, and the sources that a mission has read.

-- Every execution of a task by a worker. An end without the worker's word is that of the next claim: the run was lost.
create table work_runs (
    task_id uuid not null references workflow_tasks on delete cascade,
    attempt integer not null check (attempt > 0),
    worker text not null check (worker <> ''),
    started_at timestamptz not null default frasier_now(),
    ended_at timestamptz,
    outcome text check (outcome in ('done', 'retry_later', 'needs_founder', 'given_up', 'paused', 'lost')),
    primary key (task_id, attempt),
    constraint ended_means_an_outcome check ((ended_at is null) = (outcome is null))
);
create index work_runs_open on work_runs (worker) where ended_at is null;

-- Every phase that a run has begun. One without an end failed, or ended with its run.
create table work_phases (
    task_id uuid not null references workflow_tasks on delete cascade,
    attempt integer not null,
    phase text not null,
    fingerprint text not null,
    worker text not null check (worker <> ''),
    started_at timestamptz not null default frasier_now(),
    ended_at timestamptz,
    primary key (task_id, attempt, phase, fingerprint)
);

create table work_checkpoints (
    task_id uuid not null references workflow_tasks on delete cascade,
    phase text not null,
    fingerprint text not null,
    attempt integer not null,
    output jsonb not null,
    created_at timestamptz not null default frasier_now(),
    primary key (task_id, phase, fingerprint)
);

-- A source keeps its number for the whole mission, so that a citation means the same in every step.
create table work_sources (
    mission_id uuid not null,
    number integer not null check (number > 0),
    kind text not null check (kind in ('file', 'web', 'deliverable')),
    uri text not null,
    title text not null,
    sha256 text not null,
    chars integer not null,
    opening text not null,
    notes text[] not null default '{}',
    read_at timestamptz not null default frasier_now(),
    primary key (mission_id, number),
    unique (mission_id, uri)
);
