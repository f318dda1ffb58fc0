-- Tasks of declared processes, their dependencies, leases and blocks; then the boards of teams.

create table workflow_tasks (
    id uuid primary key,
    -- Grows along every dependency edge, so that locks taken in its order cannot form a circle.
    num bigint generated always as identity,
    process text not null,
    slug text not null,
    title text not null,
    group_id uuid not null,
    status text not null,
    role text not null,
    assignee uuid,
    priority smallint not null default 0,
    -- Readiness is stored, so that a claim is one probe of a partial index however many tasks wait or are dead.
    pending_deps integer not null default 0,
    held boolean not null default false,
    claimable boolean not null default false,
    ready boolean not null generated always as (claimable and pending_deps = 0 and not held) stored,
    run_after timestamptz not null default frasier_now(),
    attempt integer not null default 0,
    failures integer not null default 0,
    lease_owner text,
    lease_until timestamptz,
    -- The end of the lease that the end of a pause gave back. As long as that is the task's lease, its holder has not gone
    -- on, and is told that they can.
    restored_until timestamptz,
    -- The previous holder goes on with it after a pause, and is told what changed.
    last_holder text,
    strikes integer not null default 0,
    result_digest text,
    result_size integer,
    fields jsonb not null default '{}',
    -- The review, answer and approval of the task, by name: who gave each, which fields it judged, and their digest. An
    -- edit of one of these fields empties the digest.
    judgements jsonb not null default '{}',
    failure text,
    cascaded boolean not null default false,
    -- How the task ended. A process names its own statuses, so that it does not follow from them.
    outcome text,
    -- Every change of a task makes a new version, so that what an agent was shown can be told from what is there now.
    version integer not null default 1,
    -- Since when the task is in its position: what has to be new for a move is younger than that.
    since timestamptz not null default frasier_now(),
    created_at timestamptz not null default frasier_now(),
    updated_at timestamptz not null default frasier_now(),
    ended_at timestamptz,
    unique (group_id, slug)
);
create index workflow_tasks_ready on workflow_tasks (priority desc, run_after, num) where ready;
create index workflow_tasks_leased on workflow_tasks (lease_until) where lease_until is not null;
create index workflow_tasks_group on workflow_tasks (group_id, num);

\ir functions/task_moves.sql
\ir functions/task_rules.sql
alter table workflow_tasks add constraint tasks_are_sound check (workflow_task_is_sound(workflow_tasks));

create table workflow_dependencies (
    task_id uuid not null references workflow_tasks on delete cascade,
    depends_on uuid not null references workflow_tasks on delete cascade,
    kind text not null check (kind in ('blocks', 'informs')),
    satisfied boolean not null default false,
    primary key (task_id, depends_on),
    check (task_id <> depends_on)
);
create index workflow_dependencies_on on workflow_dependencies (depends_on, kind);

-- The exact place of a blocked task (its attempt stays with the task), and everything that has to happen before it
-- goes on.
create table workflow_blocks (
    task_id uuid primary key references workflow_tasks on delete cascade,
    status text not null,
    role text not null,
    assignee uuid,
    lease_owner text,
    -- Until when the task was held: a lease that had run out before the pause is not given anew at its end.
    lease_until timestamptz,
    reasons jsonb not null check (jsonb_array_length(reasons) > 0),
    blocked_at timestamptz not null default frasier_now()
);

-- The results of tasks, for other slices.
create view workflow_v_results as
    select id, group_id, result_digest from workflow_tasks where outcome = 'completed';

-- Boards for teams of people and agents: projects, their members, evidence before a move, the founder's decisions.

create table workflow_projects (
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
create table workflow_members (
    name text primary key check (name like 'token:%'),
    roles text[] not null check (cardinality(roles) between 1 and 20),
    projects text[] not null default '{}',
    token_id uuid,
    added_at timestamptz not null default frasier_now(),
    removed_at timestamptz
);

-- Results of lookups and runs outside, made before a move. Tests count for the work that they were run on: the digest of
-- what the task then held. A check is a run that says how it ended, and counts no tests.
create table workflow_evidence (
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
create index workflow_evidence_newest on workflow_evidence (task_id, kind, subject, num desc);

-- Commands that may be run: a program with its arguments, never a line for a shell; off until the founder switches it on.
create table workflow_commands (
    project_id uuid not null references workflow_projects,
    name text not null check (name ~ '^[a-z][a-z0-9_-]{0,39}$'),
    arguments text[] not null check (cardinality(arguments) between 1 and 64),
    folder text not null check (folder like '/%'),
    timeout_s integer not null check (timeout_s between 1 and 3600),
    memory_mb integer not null check (memory_mb between 64 and 16384),
    report text not null default '',
    enabled boolean not null default false,
    declared_at timestamptz not null default frasier_now(),
    primary key (project_id, name)
);

-- The declared commands that must have ended well before a move. A requirement cannot be taken away unseen.
create table workflow_required_commands (
    project_id uuid not null,
    command text not null,
    move text not null check (move <> ''),
    required_by text not null,
    required_at timestamptz not null default frasier_now(),
    primary key (project_id, move, command),
    foreign key (project_id, command) references workflow_commands (project_id, name)
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
create index workflow_decisions_open on workflow_decisions (asked_at) where answer is null;

-- The working state of an agent, in its own words; replaced as a whole.
create table workflow_working_memory (
    name text primary key,
    state jsonb not null check (jsonb_typeof(state) = 'object' and octet_length(state::text) <= 65536),
    updated_at timestamptz not null default frasier_now()
);

-- Moves that an outside brain was told of: the key is made once, so that telling it again is the same contribution.
create table workflow_brain_intents (
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

-- Proofs that serve one task only: a session in which the memory was asked, a memory that was saved, and of each project the
-- words in which somebody judges the work, as the digest of what is left of them without case, space and punctuation.
create table workflow_used_once (
    kind text not null check (kind in ('session', 'memory', 'words')),
    key text not null check (key <> ''),
    task_id uuid not null references workflow_tasks on delete cascade,
    primary key (kind, key)
);
create index workflow_used_once_by on workflow_used_once (task_id, kind);

-- Outages of outside services that moves need: the founder is told once of each.
create table workflow_outages (
    id uuid primary key,
    what text not null check (what <> ''),
    why text not null,
    began_at timestamptz not null default frasier_now(),
    ended_at timestamptz
);
create unique index workflow_outages_open on workflow_outages (what) where ended_at is null;
