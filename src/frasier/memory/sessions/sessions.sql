-- name: create_session
-- Creates a session unless the id exists.
insert into memory_sessions (id, scope, owner) values (%(id)s::text, %(scope)s::text, %(owner)s::text)
on conflict (id) do nothing

-- name: read_session
-- One session of the scopes.
select id, scope, status, owner, task, last_action, summary, pending_work, state, active_at, created_at, updated_at
from memory_sessions where id = %(id)s::text and scope = any(%(scopes)s::text[])

-- name: lock_session
-- Locks a session, with the seconds since its last heartbeat and its last use.
select scope, status, owner, extract(epoch from frasier_now() - heartbeat_at)::float8 as silent_s,
    extract(epoch from frasier_now() - active_at)::float8 as idle_s
from memory_sessions where id = %(id)s::text for update

-- name: activate_session
-- Marks the session as in use and served by the owner.
update memory_sessions set status = 'active', owner = %(owner)s::text, active_at = frasier_now(),
    heartbeat_at = case when %(beats)s::boolean then frasier_now() else heartbeat_at end
where id = %(id)s::text
returning id, scope, status, owner, task, last_action, summary, pending_work, state, active_at, created_at, updated_at

-- name: update_session
-- Records the state of a session's work; null keeps a value.
update memory_sessions set task = coalesce(%(task)s::text, task),
    last_action = coalesce(%(last_action)s::text, last_action), summary = coalesce(%(summary)s::text, summary),
    pending_work = coalesce(%(pending_work)s::text, pending_work), state = coalesce(%(state)s::jsonb, state),
    updated_at = frasier_now()
where id = %(id)s::text
returning id, scope, status, owner, task, last_action, summary, pending_work, state, active_at, created_at, updated_at

-- name: complete_session
-- Marks the session as completed.
update memory_sessions set status = 'completed', updated_at = frasier_now() where id = %(id)s::text
returning id, scope, status, owner, task, last_action, summary, pending_work, state, active_at, created_at, updated_at

-- name: record_heartbeat
-- Records a heartbeat of the owner; returns which of the sessions it still owns.
update memory_sessions set heartbeat_at = frasier_now()
where id = any(%(ids)s::text[]) and owner = %(owner)s::text and status = 'active'
returning id

-- name: interrupt_silent_sessions
-- Interrupts the sessions without a heartbeat for too long, except those locked by a current use.
with silent as materialized (
    select id from memory_sessions
    where status = 'active' and heartbeat_at < frasier_now() - make_interval(secs => %(silent_s)s::float8)
    order by id for update skip locked
)
update memory_sessions s set status = 'interrupted', updated_at = frasier_now() from silent where s.id = silent.id
returning s.id

-- name: list_sessions
-- The sessions of the scopes, most recently used first.
select id, scope, status, owner, task, last_action, summary, pending_work, state, active_at, created_at, updated_at
from memory_sessions
where scope = any(%(scopes)s::text[]) and (%(status)s::text is null or status = %(status)s::text)
order by active_at desc, id limit %(limit)s::int

-- name: delete_completed_sessions
-- Deletes completed sessions that were unused for long.
delete from memory_sessions
where status = 'completed' and active_at < frasier_now() - make_interval(days => %(days)s::int)
