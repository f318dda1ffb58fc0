-- name: create_session
-- Begins a session, where there is none of that id.
insert into memory_sessions (id, scope, owner) values (%(id)s::text, %(scope)s::text, %(owner)s::text)
on conflict (id) do nothing

-- name: read_session
-- A session as it stands.
select id, scope, status, owner, task, last_action, summary, pending_work, state, heartbeat_at, active_at,
    created_at, updated_at
from memory_sessions where id = %(id)s::text and scope = any(%(scopes)s::text[])

-- name: lock_session
-- A session, held until the end of the transaction, and for how many seconds it was neither served nor used.
select scope, status, owner, extract(epoch from frasier_now() - heartbeat_at)::float8 as silent_s,
    extract(epoch from frasier_now() - active_at)::float8 as idle_s
from memory_sessions where id = %(id)s::text for update

-- name: take_up_session
-- The session is in use, and served by the owner that is given.
update memory_sessions set status = 'active', owner = %(owner)s::text, active_at = frasier_now(),
    heartbeat_at = case when %(beats)s::boolean then frasier_now() else heartbeat_at end
where id = %(id)s::text
returning id, scope, status, owner, task, last_action, summary, pending_work, state, heartbeat_at, active_at,
    created_at, updated_at

-- name: note_work
-- Where the work of a session stands; what is null stays as it is.
update memory_sessions set task = coalesce(%(task)s::text, task),
    last_action = coalesce(%(last_action)s::text, last_action), summary = coalesce(%(summary)s::text, summary),
    pending_work = coalesce(%(pending_work)s::text, pending_work), state = coalesce(%(state)s::jsonb, state),
    updated_at = frasier_now()
where id = %(id)s::text
returning id, scope, status, owner, task, last_action, summary, pending_work, state, heartbeat_at, active_at,
    created_at, updated_at

-- name: complete_session
-- The work of the session is done.
update memory_sessions set status = 'completed', updated_at = frasier_now() where id = %(id)s::text
returning id, scope, status, owner, task, last_action, summary, pending_work, state, heartbeat_at, active_at,
    created_at, updated_at

-- name: beat
-- The owner lives; which of its sessions are still its own.
update memory_sessions set heartbeat_at = frasier_now()
where id = any(%(ids)s::text[]) and owner = %(owner)s::text and status = 'active'
returning id

-- name: interrupt_silent
-- Sessions whose process has not been heard of for too long, but for those that are being used this moment.
with silent as materialized (
    select id from memory_sessions
    where status = 'active' and heartbeat_at < frasier_now() - make_interval(secs => %(silent_s)s::float8)
    order by id for update skip locked
)
update memory_sessions s set status = 'interrupted', updated_at = frasier_now() from silent where s.id = silent.id
returning s.id

-- name: list_sessions
-- The sessions of some scopes, those used last first.
select id, scope, status, owner, task, last_action, summary, pending_work, state, heartbeat_at, active_at,
    created_at, updated_at
from memory_sessions
where scope = any(%(scopes)s::text[]) and (%(status)s::text is null or status = %(status)s::text)
order by active_at desc, id limit %(limit)s::int

-- name: deliveries_of
-- When the session was sent which of these.
select fingerprint, sent_at from memory_deliveries
where session_id = %(session_id)s::text and fingerprint = any(%(fingerprints)s::bytea[])

-- name: note_deliveries
-- What the session is sent now, in the order of the page; what was deleted meanwhile cannot be noted. The memories
-- are locked before the deliveries, as deleting a memory does.
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
-- Forgets the oldest of more than the session may have.
delete from memory_deliveries where session_id = %(session_id)s::text and fingerprint in (
    select fingerprint from memory_deliveries where session_id = %(session_id)s::text
    order by sent_at desc, fingerprint offset %(most)s::int)

-- name: use_session
-- The memory was asked within the session.
update memory_sessions set active_at = frasier_now(), asked_at = frasier_now(), asked_by = %(asked_by)s::text
where id = %(id)s::text

-- name: forget_deliveries
-- Forgets what a session was sent.
delete from memory_deliveries where session_id = %(session_id)s::text

-- name: forget_idle_deliveries
-- Forgets what was sent to sessions that nobody has used for long, but for those that are being used this moment.
with idle as materialized (
    select id from memory_sessions s where active_at < frasier_now() - make_interval(secs => %(idle_s)s::float8)
        and exists (select from memory_deliveries d where d.session_id = s.id)
    order by id for update skip locked
)
delete from memory_deliveries d using idle where d.session_id = idle.id

-- name: forget_completed
-- Completed sessions that nobody has used for long.
delete from memory_sessions
where status = 'completed' and active_at < frasier_now() - make_interval(days => %(days)s::int)
