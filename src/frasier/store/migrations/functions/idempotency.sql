-- Notes in the transaction of a request that it wrote something, so that it is not done a second time after a crash.
--
-- A transaction without an id has written nothing. One of an attempt that has been replaced since, because it was taken
-- for crashed, is refused as a whole.
create or replace function mark_request_written(p_caller text, p_key text, p_attempt uuid)
returns void language plpgsql as $$
begin
    if pg_current_xact_id_if_assigned() is null then
        return;
    end if;
    update store_idempotency_keys set written = true
    where caller = p_caller and key = p_key and attempt = p_attempt;
    if not found then
        raise exception using errcode = 'serialization_failure',
            message = 'Another request with the same idempotency key was begun meanwhile.';
    end if;
end $$;
