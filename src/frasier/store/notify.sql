-- name: notify
-- Sends a hint to listeners.
select pg_notify(%(channel)s::text, '')
