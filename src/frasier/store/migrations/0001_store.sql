-- The audit trail, its chains and seals, and the outbox.

create table store_event_streams (
    stream uuid primary key,
    seq integer not null default 0 check (seq >= 0),
    hash bytea not null default ''
);

create table events (
    id bigint generated always as identity primary key,
    stream uuid not null,
    seq integer not null check (seq > 0),
    at timestamptz not null,
    kind text not null check (kind <> ''),
    actor text not null check (actor <> ''),
    payload jsonb not null,
    prev_hash bytea not null,
    hash bytea not null,
    txid xid8 not null default pg_current_xact_id(),
    unique (stream, seq)
);
create index events_txid on events (txid);
create index events_kind on events (kind, id);

-- One digest over everything that an event says and over its predecessor's hash.
create function event_digest(
    prev bytea, stream uuid, seq integer, at timestamptz, kind text, actor text, payload jsonb
) returns bytea language sql stable as $$
    select sha256(prev || convert_to(
        concat_ws(E'\n', stream, seq, (extract(epoch from at) * 1000000)::bigint, kind, actor, payload), 'UTF8'))
$$;

-- Appends one event to its stream. Only writers of the same stream wait for each other.
create function append_event(p_stream uuid, p_kind text, p_actor text, p_payload jsonb)
returns bigint language plpgsql as $$
declare
    head store_event_streams;
    moment timestamptz := clock_timestamp();
    digest bytea;
    event_id bigint;
begin
    insert into store_event_streams (stream) values (p_stream) on conflict do nothing;
    select * into head from store_event_streams where stream = p_stream for update;
    digest := event_digest(head.hash, p_stream, head.seq + 1, moment, p_kind, p_actor, p_payload);
    insert into events (stream, seq, at, kind, actor, payload, prev_hash, hash)
    values (p_stream, head.seq + 1, moment, p_kind, p_actor, p_payload, head.hash, digest)
    returning id into event_id;
    update store_event_streams set seq = head.seq + 1, hash = digest where stream = p_stream;
    return event_id;
end $$;

-- The second lock on the door: privileges keep the application role out, this keeps the owner from slips.
create function refuse_event_change() returns trigger language plpgsql as $$
begin
    raise exception 'the audit trail is append-only';
end $$;
create trigger events_append_only before update or delete on events
    for each row execute function refuse_event_change();
create trigger events_no_truncate before truncate on events
    for each statement execute function refuse_event_change();

-- A seal covers every event of the transactions after the previous seal's up to its own `upto_txid`.
create table store_event_seals (
    id bigint generated always as identity primary key,
    after_txid xid8 not null,
    upto_txid xid8 not null,
    events bigint not null,
    digest bytea not null,
    mac bytea not null,
    sealed_at timestamptz not null default now()
);

create table store_effects (
    id uuid primary key,
    kind text not null check (kind <> ''),
    key text not null unique,
    stream uuid not null,
    payload jsonb not null,
    state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'unknown', 'failed')),
    attempts integer not null default 0,
    run_after timestamptz not null default now(),
    lease_until timestamptz,
    receipt jsonb,
    error text,
    created_at timestamptz not null default now(),
    settled_at timestamptz,
    check ((state = 'sending') = (lease_until is not null)),
    check (state <> 'sent' or (receipt is not null and settled_at is not null))
);
create index store_effects_due on store_effects (run_after, id) where state = 'pending';
create index store_effects_sending on store_effects (lease_until) where state = 'sending';
create index store_effects_open on store_effects (state) where state in ('unknown', 'failed');
create index store_effects_stream on store_effects (stream);

-- Which process does the periodic work: one row a job, leased.
create table store_leases (
    name text primary key,
    holder text not null,
    until timestamptz not null
);
