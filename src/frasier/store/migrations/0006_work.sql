-- The results that a run has stored so far, and the sources that a mission has read.

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
