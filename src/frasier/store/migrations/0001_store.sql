-- The audit log, its chains and seals, the outbox, and the leases of jobs.

\ir functions/clock.sql
\ir functions/rules.sql
\ir functions/event_epoch.sql

-- The head of every stream's chain. `sealed_seq` is the newest of its events that a seal covers.
create table store_event_streams (
    stream uuid primary key,
    seq integer not null check (seq > 0),
    hash bytea not null check (octet_length(hash) = 32),
    sealed_seq integer not null default 0,
    check (sealed_seq between 0 and seq)
) with (fillfactor = 80);
create index store_event_streams_unsealed on store_event_streams (stream) where sealed_seq < seq;

-- The audit log, partitioned by the month of `at`. An id is given before its transaction commits, so that a reader who goes
-- on from an id would lose events that commit late: the place of a reader is (epoch, xid, id), and nothing is read of
-- transactions at or above the lower bound of the running ones (events_since). A number of a stream is given once, under the
-- lock of its head: the keys of a partitioned table have to include `at`.
create table events (
    id bigserial,
    stream uuid not null,
    seq integer not null check (seq > 0),
    at timestamptz not null,
    kind text not null check (kind <> ''),
    actor text not null check (actor <> ''),
    payload jsonb not null check (jsonb_typeof(payload) = 'object'),
    hash bytea not null,
    xid xid8 not null default pg_current_xact_id(),
    epoch bigint not null default event_epoch(),
    primary key (stream, seq, at)
) partition by range (at);
create index events_by_id on events (id);
create index events_in_order on events (epoch, xid, id);

\ir functions/audit_log.sql
\ir functions/event_partitions.sql

-- A second guard: privileges keep the application's role out, these triggers keep the owner from slips.
create trigger events_append_only before update or delete on events
    for each row execute function refuse_audit_log_change();
create trigger events_no_truncate before truncate on events
    for each statement execute function refuse_audit_log_change();
select make_event_partitions(2);

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
    for each row execute function refuse_audit_log_change();
create trigger seals_no_truncate before truncate on store_event_seals
    for each statement execute function refuse_audit_log_change();

create table store_effects (
    id uuid primary key,
    kind text not null,
    key text not null unique,
    stream uuid not null,
    payload jsonb not null,
    state text not null default 'pending',
    -- Counts claims for sending, and fences what a late sender says about an earlier one.
    attempts integer not null default 0,
    run_after timestamptz not null default frasier_now(),
    lease_until timestamptz,
    receipt jsonb,
    error text,
    created_at timestamptz not null default frasier_now(),
    settled_at timestamptz
);
create index store_effects_due on store_effects (kind, run_after, id) where state = 'pending';
create index store_effects_sending on store_effects (lease_until) where state = 'sending';
create index store_effects_open on store_effects (created_at) where state in ('unknown', 'failed');
create index store_effects_stream on store_effects (stream, created_at);
\ir functions/effects.sql
\ir functions/effect_rules.sql
alter table store_effects add constraint effects_are_sound check (store_effect_is_sound(store_effects));

-- Holds a row in a database for tests, whose clock can be offset, and none in any other.
create table store_test_databases (
    only_one boolean primary key default true check (only_one),
    marked_at timestamptz not null default frasier_now()
);
\ir functions/test_clock.sql

-- The process that does a periodic job: one row a job, leased.
create table store_leases (
    name text primary key,
    holder text not null,
    until timestamptz not null
);
