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
