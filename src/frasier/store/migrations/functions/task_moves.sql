-- Moves a task whose new state the caller has computed; a caller who looked at another version moves nothing. Listeners
-- are woken where it can be claimed now.
create or replace function move_task(
    p_id uuid, p_version integer, p_attempt integer, p_channel text, p_status text, p_role text, p_claimable boolean,
    p_delay_s double precision, p_strikes integer, p_failures integer, p_result_digest text, p_result_size integer,
    p_fields jsonb, p_judgements jsonb, p_failure text, p_outcome text
) returns void language plpgsql as $$
declare
    woken boolean;
begin
    update workflow_tasks set
        status = p_status, role = p_role, claimable = p_claimable, version = version + 1,
        since = frasier_now(), run_after = frasier_now() + make_interval(secs => p_delay_s),
        lease_owner = null, lease_until = null,
        strikes = p_strikes, failures = p_failures, result_digest = p_result_digest, result_size = p_result_size,
        fields = p_fields, judgements = p_judgements, failure = p_failure, outcome = p_outcome,
        ended_at = case when p_outcome is not null then frasier_now() end, updated_at = frasier_now()
    where id = p_id and version = p_version
    returning ready into woken;
    if not found then
        perform refuse_move(p_id, p_attempt);
    end if;
    if woken then
        perform pg_notify(p_channel, '');
    end if;
end $$;

-- Raises why a move was refused: FR002 for a lost lease, FR001 for a change by somebody else, with the task's name and the
-- attempt as facts. A caller who holds the task names the attempt.
create or replace function refuse_move(p_id uuid, p_attempt integer) returns void language plpgsql as $$
declare
    task workflow_tasks;
begin
    select * into task from workflow_tasks where id = p_id;
    if p_attempt is not null and (task.lease_owner is null or task.attempt <> p_attempt) then
        raise exception using errcode = 'FR002', message = 'lease_lost',
            detail = jsonb_build_object('task', task.slug, 'attempt', p_attempt);
    end if;
    raise exception using errcode = 'FR001', message = 'stale', detail = jsonb_build_object('task', task.slug);
end $$;

-- Counts a completed task off its dependants, which are locked in the order of their numbers, and wakes listeners where
-- one became ready.
create or replace function satisfy_dependants(p_id uuid, p_channel text) returns void language plpgsql as $$
declare
    woken boolean;
begin
    with locked as materialized (
        select t.id from workflow_tasks t
        where t.id in (select d.task_id from workflow_dependencies d
                       where d.depends_on = p_id and d.kind = 'blocks' and not d.satisfied)
        order by t.num for no key update
    ), satisfied as (
        update workflow_dependencies d set satisfied = true from locked
        where d.depends_on = p_id and d.task_id = locked.id and not d.satisfied
        returning d.task_id
    ), counted as (
        update workflow_tasks t set pending_deps = t.pending_deps - 1, updated_at = frasier_now() from satisfied
        where t.id = satisfied.task_id returning t.ready
    )
    select coalesce(bool_or(ready), false) into woken from counted;
    if woken then
        perform pg_notify(p_channel, '');
    end if;
end $$;
