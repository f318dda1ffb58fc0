-- Tasks of declared processes, their dependencies, leases and blocks.

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
