-- The rules of a task; see rules.sql.
create or replace function workflow_task_is_sound(t workflow_tasks) returns boolean language plpgsql immutable as $$
begin
    return coalesce(public.refuse_row('workflow_tasks', case
        when not (t.slug <> '') then 'slug_is_not_empty'
        when not (t.title <> '') then 'title_is_not_empty'
        when not (t.pending_deps >= 0) then 'pending_dependencies_are_counted'
        when not (t.attempt >= 0) then 'attempt_is_counted'
        when not (t.failures >= 0) then 'failures_are_counted'
        when not (t.strikes >= 0) then 'strikes_are_counted'
        when not (t.version > 0) then 'version_is_counted'
        when not (jsonb_typeof(t.fields) = 'object') then 'fields_are_an_object'
        when not (jsonb_typeof(t.judgements) = 'object') then 'judgements_are_an_object'
        when not (t.lease_owner <> '') then 'lease_owner_is_not_empty'
        when not (t.last_holder <> '') then 'last_holder_is_not_empty'
        when not (t.result_digest <> '') then 'result_digest_is_not_empty'
        when not (t.result_size > 0) then 'result_is_not_empty'
        when not (t.failure <> '') then 'failure_is_not_empty'
        when not (t.outcome in ('completed', 'failed', 'cancelled')) then 'outcome_is_known'
        when not ((t.lease_owner is null) = (t.lease_until is null)) then 'lease_has_an_owner_and_an_end'
        when not (not t.claimable or (t.lease_owner is null and t.ended_at is null and t.status <> 'blocked'))
            then 'claimable_means_free'
        when not ((t.status = 'active') = (t.lease_owner is not null)) then 'active_means_a_lease'
        when not ((t.outcome is not null) = (t.ended_at is not null)) then 'ended_means_an_outcome'
        when not (t.outcome is distinct from 'completed' or (t.result_digest is not null and t.result_size is not null))
            then 'completed_has_a_result'
        when not ((t.outcome is not distinct from 'failed') = (t.failure is not null)) then 'failed_has_a_reason'
        when not (not t.cascaded or t.outcome is not distinct from 'failed') then 'only_failures_cascade'
    end), true);
end $$;
