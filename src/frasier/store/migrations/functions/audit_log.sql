-- One digest over everything that an event says and over its predecessor's hash. The lengths keep two fields from being
-- read as one. Verification computes the same outside the database, so that a changed function is noticed. The names in it
-- are resolved when it is made, so that nothing can stand in for them.
create or replace function event_digest(
    previous bytea, stream uuid, seq integer, at timestamptz, kind text, actor text, payload jsonb
) returns bytea language sql stable
    return sha256(previous || convert_to(concat_ws(E'\n', stream, seq, (extract(epoch from at) * 1000000)::bigint,
        char_length(kind), kind, char_length(actor), actor, payload), 'UTF8'));

-- Appends one event to its stream. Only writers of the same stream wait for each other. It runs with its owner's rights, so
-- that the application needs none on the tables. A search path of its own would cost as much as the rest of it, so everything
-- is named with its schema instead, operators and types too: a temporary type is found before all others, and its check
-- would run with these rights. The arguments of the digest have exactly its types, so that no other function of its name
-- fits better.
create or replace function append_event(p_stream uuid, p_kind text, p_actor text, p_payload jsonb)
returns bigint language plpgsql security definer as $$
declare
    moment pg_catalog.timestamptz := public.frasier_clock();
    head public.store_event_streams;
    event_id pg_catalog.int8;
begin
    update public.store_event_streams s set
        seq = s.seq operator(pg_catalog.+) 1,
        hash = public.event_digest(
            s.hash, s.stream, s.seq operator(pg_catalog.+) 1, moment, p_kind, p_actor, p_payload)
    where s.stream operator(pg_catalog.=) p_stream
    returning * into head;
    if not found then
        -- Somebody else may begin the stream at the same moment: then this event is the second.
        insert into public.store_event_streams as s (stream, seq, hash)
        values (p_stream, 1, public.event_digest(''::pg_catalog.bytea, p_stream, 1, moment, p_kind, p_actor, p_payload))
        on conflict (stream) do update set
            seq = s.seq operator(pg_catalog.+) 1,
            hash = public.event_digest(
                s.hash, s.stream, s.seq operator(pg_catalog.+) 1, moment, p_kind, p_actor, p_payload)
        returning * into head;
    end if;
    if pg_catalog.to_regclass(pg_catalog.concat('public.events_'::pg_catalog.text,
            pg_catalog.to_char(pg_catalog.timezone('UTC'::pg_catalog.text, moment), 'YYYY_MM'::pg_catalog.text))) is null then
        perform public.make_event_partition(moment);  -- the job that makes them ahead has not run for months
    end if;
    insert into public.events (stream, seq, at, kind, actor, payload, hash)
    values (p_stream, head.seq, moment, p_kind, p_actor, p_payload, head.hash)
    returning id into event_id;
    -- Wakes who follows the events; several in one transaction are one notification.
    perform pg_catalog.pg_notify('frasier_events'::pg_catalog.text, ''::pg_catalog.text);
    return event_id;
end $$;

create or replace function refuse_audit_log_change() returns trigger language plpgsql as $$
begin
    raise exception 'the audit log is append-only';
end $$;

-- Marks grown heads as sealed and returns them, for the caller to store the seal in the same transaction. A head that
-- somebody is appending to is skipped: the next seal takes it.
create or replace function take_unsealed_heads(p_limit integer)
returns table (stream uuid, seq integer, hash bytea)
language sql security definer set search_path = public, pg_temp as $$
    with due as materialized (
        select h.stream from store_event_streams h where h.sealed_seq < h.seq
        order by h.stream for update skip locked limit p_limit)
    update store_event_streams s set sealed_seq = s.seq from due where s.stream = due.stream
    returning s.stream, s.seq, s.hash
$$;
