-- name: find_deliveries
-- The fingerprints that the session was sent, with the time.
select fingerprint, sent_at from memory_deliveries
where session_id = %(session_id)s::text and fingerprint = any(%(fingerprints)s::bytea[])

-- name: record_deliveries
-- Records what the session is sent, in the order of the page; memories deleted meanwhile are skipped. Memories are
-- locked before deliveries, in the same order as deleting a memory does.
with present as materialized (
    select given.* from unnest(%(fingerprints)s::bytea[], %(memory_ids)s::uuid[], %(tokens)s::int[])
        with ordinality as given (fingerprint, memory_id, tokens, nth)
    join memory_items m on m.id = given.memory_id
    order by m.num for key share of m
)
insert into memory_deliveries (session_id, fingerprint, memory_id, tokens, sent_at)
select distinct on (fingerprint) %(session_id)s::text, fingerprint, memory_id, tokens,
    (select frasier_clock()) + nth * interval '1 microsecond'
from present order by fingerprint, nth
on conflict (session_id, fingerprint) do update
    set memory_id = excluded.memory_id, tokens = excluded.tokens, sent_at = excluded.sent_at

-- name: trim_deliveries
-- Deletes the oldest deliveries beyond the limit of the session.
delete from memory_deliveries where session_id = %(session_id)s::text and fingerprint in (
    select fingerprint from memory_deliveries where session_id = %(session_id)s::text
    order by sent_at desc, fingerprint offset %(limit)s::int)

-- name: record_session_use
-- Records a recall within the session.
update memory_sessions set active_at = frasier_now(), asked_at = frasier_now(), asked_by = %(asked_by)s::text
where id = %(id)s::text

-- name: delete_deliveries
-- Deletes the deliveries of a session.
delete from memory_deliveries where session_id = %(session_id)s::text

-- name: delete_idle_deliveries
-- Deletes the deliveries of idle sessions, except those locked by a current use.
with idle as materialized (
    select id from memory_sessions s where active_at < frasier_now() - make_interval(secs => %(idle_s)s::float8)
        and exists (select from memory_deliveries d where d.session_id = s.id)
    order by id for update skip locked
)
delete from memory_deliveries d using idle where d.session_id = idle.id
