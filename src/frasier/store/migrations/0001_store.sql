-- The audit trail, its chains and seals, the outbox, and the leases of jobs.

-- The head of every stream's chain. `sealed_seq` is the newest of its events that a seal covers.
create table store_event_streams (
    stream uuid primary key,
    seq integer not null check (seq > 0),
    hash bytea not null check (octet_length(hash) = 32),
    sealed_seq integer not null default 0,
    check (sealed_seq between 0 and seq)
) with (fillfactor = 80);
create index store_event_streams_unsealed on store_event_streams (stream) where sealed_seq < seq;

create table events (
    id bigint generated always as identity primary key,
    stream uuid not null,
    seq integer not null check (seq > 0),
    at timestamptz not null,
    kind text not null check (kind <> ''),
    actor text not null check (actor <> ''),
    payload jsonb not null check (jsonb_typeof(payload) = 'object'),
    hash bytea not null,
    unique (stream, seq)
);

-- One digest over everything that an event says and over its predecessor's hash. The lengths keep two fields from
-- being read as one. Verification computes the same outside the database, so that a changed function is noticed.
create function event_digest(
    previous bytea, stream uuid, seq integer, at timestamptz, kind text, actor text, payload jsonb
) returns bytea language sql stable as $$
    select sha256(previous || convert_to(concat_ws(E'\n', stream, seq, (extract(epoch from at) * 1000000)::bigint,
        char_length(kind), kind, char_length(actor), actor, payload), 'UTF8'))
$$;

-- Appends one event to its stream. Only writers of the same stream wait for each other. It runs with its owner's
-- rights, so that the application needs none on the tables, and with a fixed path, so that no temporary table
-- can stand in for them.
create function append_event(p_stream uuid, p_kind text, p_actor text, p_payload jsonb)
returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
    moment timestamptz := clock_timestamp();
    head store_event_streams;
    event_id bigint;
begin
    insert into store_event_streams as s (stream, seq, hash)
    values (p_stream, 1, event_digest('', p_stream, 1, moment, p_kind, p_actor, p_payload))
    on conflict (stream) do update set
        seq = s.seq + 1, hash = event_digest(s.hash, s.stream, s.seq + 1, moment, p_kind, p_actor, p_payload)
    returning * into head;
    insert into events (stream, seq, at, kind, actor, payload, hash)
    values (p_stream, head.seq, moment, p_kind, p_actor, p_payload, head.hash)
    returning id into event_id;
    return event_id;
end $$;

-- The second lock on the door: privileges keep the application role out, this keeps the owner from slips.
create function refuse_trail_change() returns trigger language plpgsql as $$
begin
    raise exception 'the audit trail is append-only';
end $$;
create trigger events_append_only before update or delete on events
    for each row execute function refuse_trail_change();
create trigger events_no_truncate before truncate on events
    for each statement execute function refuse_trail_change();

-- A seal covers the heads of the chains that had grown since the seals before it, and so every event up to them.
-- A transaction that commits late moves its head when it commits, and the next seal covers it.
create table store_event_seals (
    id bigint generated always as identity primary key,
    streams uuid[] not null check (cardinality(streams) > 0),
    seqs integer[] not null,
    hashes bytea[] not null,
    sealed_at timestamptz not null,
    mac bytea not null,
    check (cardinality(seqs) = cardinality(streams) and cardinality(hashes) = cardinality(streams))
);
create trigger seals_append_only before update or delete on store_event_seals
    for each row execute function refuse_trail_change();
create trigger seals_no_truncate before truncate on store_event_seals
    for each statement execute function refuse_trail_change();

-- Marks grown heads as sealed and returns them, for the caller to store the seal in the same transaction. A head
-- that somebody is appending to is skipped: the next seal takes it.
create function take_unsealed_heads(p_limit integer)
returns table (stream uuid, seq integer, hash bytea)
language sql security definer set search_path = public, pg_temp as $$
    with due as materialized (
        select h.stream from store_event_streams h where h.sealed_seq < h.seq
        order by h.stream for update skip locked limit p_limit)
    update store_event_streams s set sealed_seq = s.seq from due where s.stream = due.stream
    returning s.stream, s.seq, s.hash
$$;

create table store_effects (
    id uuid primary key,
    kind text not null check (kind <> ''),
    key text not null unique,
    stream uuid not null,
    payload jsonb not null,
    state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'unknown', 'failed')),
    -- Counts claims for sending, and fences what a late sender says about an earlier one.
    attempts integer not null default 0 check (attempts >= 0),
    run_after timestamptz not null default now(),
    lease_until timestamptz,
    receipt jsonb,
    error text,
    created_at timestamptz not null default now(),
    settled_at timestamptz,
    check ((state = 'sending') = (lease_until is not null)),
    check ((state in ('sent', 'failed')) = (settled_at is not null)),
    check ((state = 'sent') = (receipt is not null)),
    check (state not in ('unknown', 'failed') or error is not null)
);
create index store_effects_due on store_effects (kind, run_after, id) where state = 'pending';
create index store_effects_sending on store_effects (lease_until) where state = 'sending';
create index store_effects_open on store_effects (created_at) where state in ('unknown', 'failed');
create index store_effects_stream on store_effects (stream, created_at);

-- Which process does the periodic work: one row a job, leased.
create table store_leases (
    name text primary key,
    holder text not null,
    until timestamptz not null
);
