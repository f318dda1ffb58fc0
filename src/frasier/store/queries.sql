-- name: append_event
-- Adds one event to its stream's chain.
select append_event(%(stream)s::uuid, %(kind)s::text, %(actor)s::text, %(payload)s::jsonb) as id

-- name: events_of_stream
-- One stream's events in order.
select id, stream, seq, at, kind, actor, payload from events where stream = %(stream)s::uuid order by seq

-- name: events_after
-- The newest events after an id, oldest first.
select id, stream, seq, at, kind, actor, payload from (
    select * from events
    where id > %(after)s::bigint and (%(stream)s::uuid is null or stream = %(stream)s::uuid)
    order by id desc limit %(limit)s::int
) newest order by id

-- name: broken_chain_links
-- Events whose hash, number or predecessor is not what the chain says; the first few.
select stream, seq, id from (
    select id, stream, seq, prev_hash, hash,
           event_digest(prev_hash, stream, seq, at, kind, actor, payload) as digest,
           lag(hash, 1, ''::bytea) over w as before,
           lag(seq, 1, 0) over w as seq_before
    from events window w as (partition by stream order by seq)
) chain
where hash <> digest or prev_hash <> before or seq <> seq_before + 1
order by id limit 20

-- name: broken_chain_heads
-- Streams whose newest event is not the one that their head names.
select s.stream, s.seq from store_event_streams s
left join events e on e.stream = s.stream and e.seq = s.seq
where s.seq > 0 and (e.id is null or e.hash <> s.hash)
   or exists (select from events later where later.stream = s.stream and later.seq > s.seq)
limit 20

-- name: count_events
-- How many events there are.
select count(*) as events from events

-- name: last_seal
-- The newest seal.
select * from store_event_seals order by id desc limit 1

-- name: all_seals
-- Every seal in order.
select * from store_event_seals order by id

-- name: settled_txid
-- Every transaction below this one has ended, so no event can still appear below it.
select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text::xid8 as upto

-- name: digest_between
-- Count and digest of the events of a range of transactions.
select count(*) as events, sha256(coalesce(string_agg(hash, ''::bytea order by id), ''::bytea)) as digest
from events where txid > %(after)s::text::xid8 and txid <= %(upto)s::text::xid8

-- name: insert_seal
-- Stores a seal.
insert into store_event_seals (after_txid, upto_txid, events, digest, mac)
values (%(after)s::text::xid8, %(upto)s::text::xid8, %(events)s::bigint, %(digest)s::bytea, %(mac)s::bytea)

-- name: enqueue_effect
-- Asks for an effect once: the same key again changes nothing.
insert into store_effects (id, kind, key, stream, payload)
values (%(id)s::uuid, %(kind)s::text, %(key)s::text, %(stream)s::uuid, %(payload)s::jsonb)
on conflict (key) do nothing

-- name: claim_effects
-- Marks due effects as being sent, before anything is sent.
update store_effects set state = 'sending', attempts = attempts + 1,
    lease_until = now() + make_interval(secs => %(lease_s)s::float8)
where id = any(array(
    select id from store_effects
    where state = 'pending' and run_after <= now() and kind = any(%(kinds)s::text[])
    order by run_after, id for update skip locked limit %(limit)s::int))
returning id, kind, key, stream, payload, attempts

-- name: expire_sending
-- Effects whose sender is gone: whether they happened is unknown.
update store_effects set state = 'unknown', lease_until = null,
    error = 'the sender ended before the outcome was known'
where id = any(array(
    select id from store_effects where state = 'sending' and lease_until < now()
    for update skip locked limit 100))
returning id

-- name: unknown_effects
-- Effects to look up outside, oldest first.
select id, kind, key, stream, payload, attempts from store_effects
where state = 'unknown' and kind = any(%(kinds)s::text[]) and run_after <= now()
order by created_at limit %(limit)s::int

-- name: settle_effect
-- Confirms an effect; nothing happens where somebody else settled it.
update store_effects set state = 'sent', lease_until = null, error = null,
    receipt = %(receipt)s::jsonb, settled_at = now()
where id = %(id)s::uuid and state in ('sending', 'unknown')

-- name: requeue_effect
-- Puts an effect that certainly did not happen back in the queue.
update store_effects set state = 'pending', lease_until = null, error = %(error)s::text,
    run_after = now() + make_interval(secs => %(delay_s)s::float8)
where id = %(id)s::uuid and state in ('sending', 'unknown', 'failed')

-- name: doubt_effect
-- The outcome of sending is unknown.
update store_effects set state = 'unknown', lease_until = null, error = %(error)s::text
where id = %(id)s::uuid and state = 'sending'

-- name: doubt_longer
-- Could not be looked up; again later.
update store_effects set error = %(error)s::text, run_after = now() + make_interval(secs => %(delay_s)s::float8)
where id = %(id)s::uuid and state = 'unknown'

-- name: fail_effect
-- Gives up on an effect.
update store_effects set state = 'failed', lease_until = null, error = %(error)s::text, settled_at = now()
where id = %(id)s::uuid and state in ('sending', 'unknown')

-- name: effects_of_stream
-- What was asked for on behalf of one stream.
select id, kind, key, stream, payload, state, attempts, receipt, error, created_at, settled_at
from store_effects where stream = %(stream)s::uuid order by created_at, id

-- name: open_effects
-- Effects that a person should look at.
select id, kind, key, stream, payload, state, attempts, receipt, error, created_at, settled_at
from store_effects where state in ('unknown', 'failed') order by created_at

-- name: find_effect
-- One effect.
select id, kind, key, stream, payload, state, attempts, receipt, error, created_at, settled_at
from store_effects where id = %(id)s::uuid

-- name: take_lease
-- Becomes or stays the holder of a named lease; no row where somebody else holds it.
insert into store_leases (name, holder, until)
values (%(name)s::text, %(holder)s::text, now() + make_interval(secs => %(lease_s)s::float8))
on conflict (name) do update set holder = excluded.holder, until = excluded.until
where store_leases.holder = excluded.holder or store_leases.until < now()
returning name

-- name: drop_lease
-- Gives a lease back.
delete from store_leases where name = %(name)s::text and holder = %(holder)s::text

-- name: notify
-- A hint for listeners; polling is the truth.
select pg_notify(%(channel)s::text, %(payload)s::text)
