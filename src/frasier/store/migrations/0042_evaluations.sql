-- Evaluations of versions by those who used them, and the tasks that make them. Nothing of this is ever changed.
create table org_evaluation_tasks (
    task_id uuid primary key references workflow_tasks,
    mission_id uuid not null references org_missions,
    evaluator uuid not null references org_agents,
    role text not null check (role in ('dependent_step', 'assembler', 'reviewer')),
    -- The task that used the versions, and the attempt at it.
    consumer uuid not null references workflow_tasks,
    consumer_attempt integer not null check (consumer_attempt > 0),
    deliverables uuid[] not null check (cardinality(deliverables) > 0),
    created_at timestamptz not null default frasier_now(),
    unique (consumer, consumer_attempt)
);
create index org_evaluation_tasks_mission on org_evaluation_tasks (mission_id);

create table org_evaluations (
    id uuid primary key,
    mission_id uuid not null references org_missions,
    -- What was evaluated, by the SHA-256 of its text, and who wrote it.
    deliverable_id uuid not null references org_deliverables,
    digest text not null check (digest <> ''),
    producer uuid not null references org_agents,
    -- An agent of the organisation, or the name of a member who used it from outside.
    evaluator uuid references org_agents,
    member text not null default '',
    role text not null check (role in ('dependent_step', 'assembler', 'reviewer', 'member')),
    -- The work that used it, and the run that evaluated it.
    consumer uuid references workflow_tasks,
    consumer_attempt integer check (consumer_attempt > 0),
    task_id uuid references org_evaluation_tasks,
    attempt integer check (attempt > 0),
    evidence jsonb not null,
    useful text[] not null,
    missing text[] not null,
    unused text[] not null,
    inaccuracies jsonb not null,
    effect text not null,
    usefulness text not null
        check (usefulness in ('misleading', 'marginal', 'adequate', 'good', 'essential')),
    clarity text not null check (clarity in ('obscure', 'laborious', 'readable', 'clear', 'exemplary')),
    -- The place among the versions that the same work used, the most useful first.
    rank integer check (rank > 0),
    siblings integer not null default 0 check (siblings >= 0),
    created_at timestamptz not null default frasier_now(),
    constraint evaluation_cites_evidence check (jsonb_array_length(evidence) > 0),
    constraint evaluation_is_not_of_own_work check (evaluator is distinct from producer),
    constraint evaluation_is_of_an_agent_or_a_member check ((evaluator is null) = (member <> '')
        and (evaluator is null) = (role = 'member')),
    constraint evaluation_of_an_agent_names_its_run check ((evaluator is null) = (task_id is null)
        and (task_id is null) = (attempt is null) and (task_id is null) = (consumer is null)
        and (consumer is null) = (consumer_attempt is null)),
    constraint rank_is_among_siblings check ((rank is null) = (siblings = 0) and rank <= siblings + 1)
);
create unique index org_evaluations_of_task on org_evaluations (task_id, deliverable_id) where task_id is not null;
create unique index org_evaluations_of_member on org_evaluations (member, deliverable_id) where member <> '';
create index org_evaluations_mission on org_evaluations (mission_id, created_at);
create index org_evaluations_evaluator on org_evaluations (evaluator, member);

-- Written by the runner where an evaluator gave no evaluation.
create table org_evaluation_errors (
    task_id uuid not null references org_evaluation_tasks,
    attempt integer not null check (attempt > 0),
    mission_id uuid not null references org_missions,
    deliverable_id uuid not null references org_deliverables,
    evaluator uuid not null references org_agents,
    error text not null check (error <> ''),
    created_at timestamptz not null default frasier_now(),
    primary key (task_id, deliverable_id)
);
create index org_evaluation_errors_mission on org_evaluation_errors (mission_id);

\ir functions/evaluations.sql

create trigger evaluation_tasks_append_only before update or delete on org_evaluation_tasks
    for each row execute function refuse_evaluation_change();
create trigger evaluations_append_only before update or delete on org_evaluations
    for each row execute function refuse_evaluation_change();
create trigger evaluation_errors_append_only before update or delete on org_evaluation_errors
    for each row execute function refuse_evaluation_change();

create index org_deliverables_digest on org_deliverables (digest);

-- Who used what is read from the events from now on, whenever a process does it for the first time.
insert into store_event_readers (name, epoch, xid, event_id)
values ('evaluations', event_epoch(), pg_snapshot_xmin(pg_current_snapshot())::text::bigint, 0);
