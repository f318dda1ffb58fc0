-- Boards for teams of people and agents: projects, who may act in them, what was found before a move, and what the
-- founder decided.

create table workflow_projects (
    id uuid primary key,
    name text not null unique check (name ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
    approval_mode text not null default 'manual'
        check (approval_mode in ('autonomous', 'auto-approval', 'semi', 'manual')),
    -- Counts the changes of the mode: who changes it names the one that they saw.
    mode_version integer not null default 1 check (mode_version > 0),
    mode_by text not null,
    mode_at timestamptz not null default now(),
    created_at timestamptz not null default now()
);

-- Who may act, under the name that their credential proves. The founder is never a member.
create table workflow_members (
    name text primary key check (name like 'token:%'),
    roles text[] not null check (cardinality(roles) between 1 and 20),
    projects text[] not null default '{}',
    added_at timestamptz not null default now(),
    removed_at timestamptz
);

-- Since when a task is in its position: what has to be new for a move is younger than that.
-- Who held it last goes on with it after a pause, and is told what changed.
alter table workflow_tasks
    add column since timestamptz not null default now(),
    add column last_holder text check (last_holder <> '');
update workflow_tasks set since = updated_at;

-- What was looked up or run outside before a move.
create table workflow_evidence (
    id uuid primary key,
    num bigint generated always as identity,
    task_id uuid not null references workflow_tasks on delete cascade,
    attempt integer not null,
    kind text not null check (kind in ('link', 'command')),
    subject text not null check (subject <> ''),
    holds boolean not null,
    digest text not null,
    found jsonb not null check (jsonb_typeof(found) = 'object'),
    gathered_by text not null,
    gathered_at timestamptz not null default now()
);
create index workflow_evidence_newest on workflow_evidence (task_id, kind, subject, num desc);

-- What may be run: a program with its arguments, never a line for a shell; off until the founder switches it on.
create table workflow_commands (
    project_id uuid not null references workflow_projects,
    name text not null check (name ~ '^[a-z][a-z0-9_-]{0,39}$'),
    arguments text[] not null check (cardinality(arguments) between 1 and 64),
    folder text not null check (folder like '/%'),
    timeout_s integer not null check (timeout_s between 1 and 3600),
    memory_mb integer not null check (memory_mb between 64 and 16384),
    report text not null default '',
    enabled boolean not null default false,
    declared_at timestamptz not null default now(),
    primary key (project_id, name)
);

-- The founder's answers: each is bound to one move of one version of one task, with what it held, and used once.
create table workflow_decisions (
    id uuid primary key,
    num bigint generated always as identity,
    task_id uuid not null references workflow_tasks on delete cascade,
    transition text not null,
    version integer not null,
    digest text not null,
    shown jsonb not null check (jsonb_typeof(shown) = 'object'),
    asked_by text not null,
    asked_at timestamptz not null default now(),
    reminded_at timestamptz,
    answer text check (answer in ('approved', 'rejected')),
    comment text not null default '',
    answered_by text,
    answered_at timestamptz,
    used_at timestamptz,
    unique (task_id, transition, version, digest),
    check ((answer is null) = (answered_at is null) and (answer is null) = (answered_by is null)),
    check (used_at is null or answer is not distinct from 'approved')
);
create index workflow_decisions_open on workflow_decisions (asked_at) where answer is null;

-- Where an agent stands, in its own words; replaced as a whole.
create table workflow_working_memory (
    name text primary key,
    state jsonb not null check (jsonb_typeof(state) = 'object' and octet_length(state::text) <= 65536),
    updated_at timestamptz not null default now()
);

-- Moves that an outside brain was told of: the key is made once, so that telling it again is the same contribution.
create table workflow_brain_intents (
    task_id uuid not null references workflow_tasks on delete cascade,
    version integer not null,
    name text not null,
    digest text not null,
    key uuid not null unique,
    remote_id text,
    intended_at timestamptz not null default now(),
    committed_at timestamptz,
    primary key (task_id, version, name, digest)
);

-- When the memory was last asked within a session, and by whom: that somebody asked is proved, not said.
alter table memory_sessions add column asked_at timestamptz, add column asked_by text;

-- Whose tokens are valid, for whoever gives their holders something to do.
create view memory_v_tokens as select name, founder from memory_tokens where revoked_at is null;
