-- Tasks of declared processes, their dependencies, leases and blocks.

create table workflow_tasks (
    id uuid primary key,
    -- Grows along every dependency edge, so that locks taken in its order cannot form a circle.
    num bigint generated always as identity,
    process text not null,
    slug text not null check (slug <> ''),
    title text not null check (title <> ''),
    group_id uuid not null,
    status text not null,
    role text not null,
    assignee uuid,
    priority smallint not null default 0,
    -- Readiness is stored, so that a claim is one probe of a partial index however many tasks wait or are dead.
    pending_deps integer not null default 0 check (pending_deps >= 0),
    held boolean not null default false,
    claimable boolean not null default false,
    ready boolean not null generated always as (claimable and pending_deps = 0 and not held) stored,
    run_after timestamptz not null default now(),
    attempt integer not null default 0 check (attempt >= 0),
    failures integer not null default 0 check (failures >= 0),
    lease_owner text check (lease_owner <> ''),
    lease_until timestamptz,
    strikes integer not null default 0 check (strikes >= 0),
    result_digest text check (result_digest <> ''),
    result_size integer check (result_size > 0),
    fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object'),
    failure text check (failure <> ''),
    cascaded boolean not null default false,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    ended_at timestamptz,
    unique (group_id, slug),
    check ((lease_owner is null) = (lease_until is null)),
    check (not claimable or (lease_owner is null and ended_at is null and status <> 'blocked')),
    constraint active_means_a_lease check ((status = 'active') = (lease_owner is not null)),
    constraint ended_means_over check ((status in ('completed', 'failed', 'cancelled')) = (ended_at is not null)),
    constraint completed_has_a_result check (status <> 'completed' or (result_digest is not null and result_size is not null)),
    constraint failed_has_a_reason check ((status = 'failed') = (failure is not null)),
    constraint only_failures_cascade check (not cascaded or status = 'failed')
);
create index workflow_tasks_ready on workflow_tasks (priority desc, run_after, num) where ready;
create index workflow_tasks_leased on workflow_tasks (lease_until) where lease_until is not null;
create index workflow_tasks_group on workflow_tasks (group_id, num);

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
    reasons jsonb not null check (jsonb_array_length(reasons) > 0),
    blocked_at timestamptz not null default now()
);

-- What other slices may read of a task's result.
create view workflow_v_results as
    select id, group_id, result_digest from workflow_tasks where status = 'completed';
