-- What each review, answer and approval of a task was given for: by its name, who gave it, which fields it judged and
-- their digest. An edit of one of these fields empties the digest.
alter table workflow_tasks add column judgements jsonb not null default '{}'
    constraint judgements_are_named check (jsonb_typeof(judgements) = 'object');

drop function move_task;
create function move_task(
    p_id uuid, p_version integer, p_attempt integer, p_channel text, p_status text, p_role text, p_claimable boolean,
    p_delay_s double precision, p_strikes integer, p_failures integer, p_result_digest text, p_result_size integer,
    p_fields jsonb, p_judgements jsonb, p_failure text, p_outcome text
) returns void language plpgsql as $$
declare
    woken boolean;
begin
    update workflow_tasks set
        status = p_status, role = p_role, claimable = p_claimable, version = version + 1,
        since = now(), run_after = now() + make_interval(secs => p_delay_s), lease_owner = null, lease_until = null,
        strikes = p_strikes, failures = p_failures, result_digest = p_result_digest, result_size = p_result_size,
        fields = p_fields, judgements = p_judgements, failure = p_failure, outcome = p_outcome,
        ended_at = case when p_outcome is not null then now() end, updated_at = now()
    where id = p_id and version = p_version
    returning ready into woken;
    if not found then
        perform refuse_move(p_id, p_attempt);
    end if;
    if woken then
        perform pg_notify(p_channel, '');
    end if;
end $$;
