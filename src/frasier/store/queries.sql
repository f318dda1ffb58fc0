-- name: append_event
-- Adds one event to its stream's chain.
select append_event(%(stream)s::uuid, %(kind)s::text, %(actor)s::text, %(payload)s::jsonb)

-- name: events_of_each
-- The events of some streams, each oldest first, without the kinds that match a pattern.
select id, stream, seq, at, kind, actor, payload from events
where stream = any(%(streams)s::uuid[]) and not kind like any(%(without)s::text[])
order by stream, seq

-- name: events_since
-- The next events after a position, of all kinds or of one. Only those of transactions below the lower bound of the running
-- ones: nothing can appear before these any more.
select id, stream, seq, at, kind, actor, payload, xid::text::bigint as xid from events
where (xid, id) > (%(xid)s::text::xid8, %(id)s::bigint) and xid < pg_snapshot_xmin(pg_current_snapshot())
    and (%(kind)s::text is null or kind = %(kind)s::text)
order by xid, id limit %(limit)s::int

-- name: running_transactions
-- The lower bound of the running transactions: everything before it has ended.
select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xid

-- name: make_event_partitions
-- Creates the partitions of this month and some months after it.
select make_event_partitions(%(months)s::int) as made

-- name: events_of_stream
-- One stream's events in order.
select id, stream, seq, at, kind, actor, payload from events where stream = %(stream)s::uuid order by seq

-- name: newest_events
-- The newest events, oldest first: of all streams or of some, and where a transaction is named, only of those before it.
select id, stream, seq, at, kind, actor, payload from (
    select * from events
    where (%(streams)s::uuid[] is null or stream = any(%(streams)s::uuid[]))
        and (%(before)s::text is null or xid < %(before)s::text::xid8)
    order by id desc limit %(limit)s::int
) newest order by id

-- name: audit_log
-- The whole audit log, chain by chain, as it is verified.
select stream, seq, at, kind, actor, payload::text as payload, hash from events order by stream, seq

-- name: broken_heads
-- Chains whose newest event is not the one that their head names; the first few.
select coalesce(s.stream, e.stream) as stream
from store_event_streams s
full join (select distinct on (stream) stream, seq, hash from events order by stream, seq desc) e using (stream)
where s.seq is distinct from e.seq or s.hash is distinct from e.hash
order by 1 limit %(limit)s::int

-- name: broken_seals
-- Sealed events that are missing or changed; the first few.
select h.stream, h.seq, seal.id as seal
from store_event_seals seal
cross join lateral unnest(seal.streams, seal.seqs, seal.hashes) as h (stream, seq, hash)
left join events e on e.stream = h.stream and e.seq = h.seq
where e.hash is distinct from h.hash
order by seal.id, h.stream limit %(limit)s::int

-- name: lost_seals
-- Chains that count as sealed further than any seal reaches; the first few.
select s.stream, s.sealed_seq
from store_event_streams s
left join (
    select h.stream, max(h.seq) as seq
    from store_event_seals seal cross join lateral unnest(seal.streams, seal.seqs) as h (stream, seq)
    group by h.stream
) sealed using (stream)
where s.sealed_seq > coalesce(sealed.seq, 0)
order by s.stream limit %(limit)s::int

-- name: count_sealed
-- How many events the seals cover.
select coalesce(sum(seq), 0)::bigint as events from (
    select h.stream, max(h.seq) as seq
    from store_event_seals seal cross join lateral unnest(seal.streams, seal.seqs) as h (stream, seq)
    group by h.stream
) sealed

-- name: lock_seals
-- Serialises sealing, because each seal is chained to the one before.
select pg_advisory_xact_lock(hashtext('frasier seals'))

-- name: last_mac
-- The code of the last seal, to which the next one is chained, and the current time.
select frasier_now() as moment, (select mac from store_event_seals order by id desc limit 1) as mac

-- name: seal_exists
-- Whether a seal exists, searched from the newest.
select exists (select from (
    select from store_event_seals where mac = %(mac)s::bytea order by id desc limit 1
) found) as there

-- name: take_unsealed_heads
-- The heads that the seal being made will cover.
select stream, seq, hash from take_unsealed_heads(%(limit)s::int) order by stream

-- name: insert_seal
-- Stores a seal.
insert into store_event_seals (streams, seqs, hashes, sealed_at, mac)
values (%(streams)s::uuid[], %(seqs)s::int[], %(hashes)s::bytea[], %(sealed_at)s::timestamptz, %(mac)s::bytea)

-- name: seals
-- Every seal in order.
select id, streams, seqs, hashes, sealed_at, mac from store_event_seals order by id

-- name: enqueue_effect
-- Enqueues an effect once: the same key again changes nothing.
select enqueue_effect(%(id)s::uuid, %(kind)s::text, %(key)s::text, %(stream)s::uuid, %(payload)s::jsonb)

-- name: claim_effects
-- Marks the next due effect of each kind as being sent, before anything is sent.
update store_effects set state = 'sending', attempts = attempts + 1,
    lease_until = frasier_now() + make_interval(secs => %(lease_s)s::float8)
where id = any(array(
    select due.id from unnest(%(kinds)s::text[]) as wanted (kind)
    cross join lateral (
        select e.id from store_effects e
        where e.state = 'pending' and e.kind = wanted.kind and e.run_after <= frasier_now()
        order by e.run_after, e.id for update skip locked limit 1
    ) due))
returning id, kind, key, stream, payload, attempts

-- name: expire_sending
-- Marks effects whose sender died as unknown.
update store_effects set state = 'unknown', lease_until = null,
    error = %(error)s::text
where id = any(array(
    select id from store_effects where state = 'sending' and lease_until < frasier_now()
    for update skip locked limit 100))
returning id, kind, key, stream, payload, attempts, error

-- name: claim_doubtful
-- Takes the next effect of each kind to look up outside, and reserves it for a while.
update store_effects set run_after = frasier_now() + make_interval(secs => %(lease_s)s::float8)
where id = any(array(
    select due.id from unnest(%(kinds)s::text[]) as wanted (kind)
    cross join lateral (
        select e.id from store_effects e
        where e.state = 'unknown' and e.kind = wanted.kind and e.run_after <= frasier_now()
        order by e.created_at, e.id for update skip locked limit 1
    ) due))
returning id, kind, key, stream, payload, attempts

-- name: settle_effect
-- Confirms an effect: a receipt counts from any sender, however late. No row if it is confirmed already.
update store_effects set state = 'sent', lease_until = null, error = null,
    receipt = %(receipt)s::jsonb, settled_at = frasier_now()
where id = %(id)s::uuid and state <> 'sent'
returning id

-- name: requeue_effect
-- Requeues an effect whose attempt certainly did nothing; the error is the refusal of the service.
update store_effects set state = 'pending', lease_until = null, error = %(error)s::text,
    run_after = frasier_now() + make_interval(secs => %(delay_s)s::float8)
where id = %(id)s::uuid and attempts = %(attempts)s::int and state in ('sending', 'unknown')

-- name: doubt_effect
-- The outcome of an attempt is unknown, and cannot be looked up before a while.
update store_effects set state = 'unknown', lease_until = null, error = %(error)s::text,
    run_after = frasier_now() + make_interval(secs => %(delay_s)s::float8)
where id = %(id)s::uuid and attempts = %(attempts)s::int and state = 'sending'

-- name: doubt_longer
-- Postpones the next look-up of an unknown outcome.
update store_effects set error = %(error)s::text, run_after = frasier_now() + make_interval(secs => %(delay_s)s::float8)
where id = %(id)s::uuid and attempts = %(attempts)s::int and state = 'unknown'

-- name: fail_effect
-- Gives up on an effect.
update store_effects set state = 'failed', lease_until = null, error = %(error)s::text, settled_at = frasier_now()
where id = %(id)s::uuid and attempts = %(attempts)s::int and state in ('sending', 'unknown')

-- name: resend_effect
-- Makes an effect that failed, is in doubt or waits for its next try due at once, at the request of a person.
update store_effects set state = 'pending', run_after = frasier_now(), settled_at = null, error = null
where id = %(id)s::uuid and (state in ('unknown', 'failed') or (state = 'pending' and error is not null))
returning stream, key

-- name: effects_of_stream
-- Every effect of one stream.
select id, kind, key, stream, payload, state, attempts, receipt, error, created_at, settled_at
from store_effects where stream = %(stream)s::uuid order by created_at, id

-- name: open_effects
-- Effects that need attention.
select id, kind, key, stream, payload, state, attempts, receipt, error, created_at, settled_at
from store_effects where state in ('unknown', 'failed') or (state = 'pending' and error is not null)
order by created_at, id

-- name: take_lease
-- Takes or renews a named lease; no row if another process holds it.
insert into store_leases (name, holder, until)
values (%(name)s::text, %(holder)s::text, frasier_now() + make_interval(secs => %(lease_s)s::float8))
on conflict (name) do update set holder = excluded.holder, until = excluded.until
where store_leases.holder = excluded.holder or store_leases.until < frasier_now()
returning name

-- name: drop_lease
-- Gives a lease back.
delete from store_leases where name = %(name)s::text and holder = %(holder)s::text

-- name: notify
-- Sends a hint to listeners.
select pg_notify(%(channel)s::text, %(payload)s::text)
