-- Boards of teams: their members, evidence before a move, the founder's decisions.

create table boards (
    id uuid primary key,
    name text not null unique check (name ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
    approval_mode text not null default 'manual'
        check (approval_mode in ('autonomous', 'auto-approval', 'semi', 'manual')),
    -- Counts the changes of the mode: who changes it names the one that they saw.
    mode_version integer not null default 1 check (mode_version > 0),
    mode_by text not null,
    mode_at timestamptz not null default frasier_now(),
    created_at timestamptz not null default frasier_now()
);

-- The members who may act, under the name that their credential proves. The founder is never a member. A member is the
-- holder of the token of the time of joining: the name may be given again, to somebody else.
create table board_members (
    name text primary key check (name like 'token:%'),
    roles text[] not null check (cardinality(roles) between 1 and 20),
    boards text[] not null default '{}',
    token_id uuid,
    added_at timestamptz not null default frasier_now(),
    removed_at timestamptz
);

-- Results of lookups and runs outside, made before a move. Tests count for the work that they were run on: the digest of
-- what the task then held. A check is a run that says how it ended, and counts no tests.
create table board_evidence (
    id uuid primary key,
    num bigint generated always as identity,
    task_id uuid not null references workflow_tasks on delete cascade,
    attempt integer not null,
    kind text not null check (kind in ('link', 'command', 'check')),
    subject text not null check (subject <> ''),
    holds boolean not null,
    digest text not null,
    found jsonb not null check (jsonb_typeof(found) = 'object'),
    gathered_by text not null,
    gathered_at timestamptz not null default frasier_now(),
    work text not null default '',
    -- When the run began: after the task came to where it is, or before.
    began_at timestamptz
);
create index board_evidence_newest on board_evidence (task_id, kind, subject, num desc);

-- Commands that may be run: a program with its arguments, never a line for a shell; off until the founder switches it on.
create table board_commands (
    board_id uuid not null references boards,
    name text not null check (name ~ '^[a-z][a-z0-9_-]{0,39}$'),
    arguments text[] not null check (cardinality(arguments) between 1 and 64),
    folder text not null check (folder like '/%'),
    timeout_s integer not null check (timeout_s between 1 and 3600),
    memory_mb integer not null check (memory_mb between 64 and 16384),
    report text not null default '',
    enabled boolean not null default false,
    declared_at timestamptz not null default frasier_now(),
    primary key (board_id, name)
);

-- The declared commands that must have ended well before a move. A requirement cannot be taken away unseen.
create table board_required_commands (
    board_id uuid not null,
    command text not null,
    move text not null check (move <> ''),
    required_by text not null,
    required_at timestamptz not null default frasier_now(),
    primary key (board_id, move, command),
    foreign key (board_id, command) references board_commands (board_id, name)
);

-- The founder's answers: each is bound to one move of one version of one task, with what it held, and used once.
create table board_decisions (
    id uuid primary key,
    num bigint generated always as identity,
    task_id uuid not null references workflow_tasks on delete cascade,
    transition text not null,
    version integer not null,
    digest text not null,
    shown jsonb not null check (jsonb_typeof(shown) = 'object'),
    asked_by text not null,
    asked_at timestamptz not null default frasier_now(),
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
create index board_decisions_open on board_decisions (asked_at) where answer is null;

-- The working state of an agent, in its own words; replaced as a whole.
create table board_working_memory (
    name text primary key,
    state jsonb not null check (jsonb_typeof(state) = 'object' and octet_length(state::text) <= 65536),
    updated_at timestamptz not null default frasier_now()
);

-- Texts sent to the external memory: the key is made once, so that sending it again is the same contribution.
create table board_external_memory_intents (
    task_id uuid not null references workflow_tasks on delete cascade,
    version integer not null,
    name text not null,
    digest text not null,
    key uuid not null unique,
    remote_id text,
    intended_at timestamptz not null default frasier_now(),
    committed_at timestamptz,
    -- The text that it was told, so that it is told the same again under the same key.
    text text not null default '',
    primary key (task_id, version, name, digest)
);

-- Proofs that serve one task only: a session in which the memory was asked, a memory that was saved, and of each board the
-- words in which somebody judges the work, as the digest of what is left of them without case, space and punctuation.
create table board_used_once (
    kind text not null check (kind in ('session', 'memory', 'words')),
    key text not null check (key <> ''),
    task_id uuid not null references workflow_tasks on delete cascade,
    primary key (kind, key)
);
create index board_used_once_by on board_used_once (task_id, kind);

-- Outages of outside services that moves need: the founder is told once of each.
create table board_outages (
    id uuid primary key,
    what text not null check (what <> ''),
    why text not null,
    began_at timestamptz not null default frasier_now(),
    ended_at timestamptz
);
create unique index board_outages_open on board_outages (what) where ended_at is null;
