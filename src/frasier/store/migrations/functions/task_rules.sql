-- The rules of a task, in one function for the reason given in memory_rules.sql.
create or replace function workflow_task_is_sound(t workflow_tasks) returns boolean language plpgsql immutable as $$
begin
    return t.slug <> '' and t.title <> ''
        and t.pending_deps >= 0 and t.attempt >= 0 and t.failures >= 0 and t.strikes >= 0 and t.version > 0
        and jsonb_typeof(t.fields) = 'object' and jsonb_typeof(t.judgements) = 'object'
        and t.lease_owner <> '' and t.last_holder <> ''
        and t.result_digest <> '' and t.result_size > 0
        and t.failure <> ''
        and t.outcome in ('completed', 'failed', 'cancelled')
        and (t.lease_owner is null) = (t.lease_until is null)
        and (not t.claimable or (t.lease_owner is null and t.ended_at is null and t.status <> 'blocked'))
        and (t.status = 'active') = (t.lease_owner is not null)
        and (t.outcome is not null) = (t.ended_at is not null)
        and (t.outcome is distinct from 'completed'
             or (t.result_digest is not null and t.result_size is not null))
        and (t.outcome is not distinct from 'failed') = (t.failure is not null)
        and (not t.cascaded or t.outcome is not distinct from 'failed');
end $$;
