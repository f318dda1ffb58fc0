-- name: lease_seconds_left
-- The holders of the leases of some tasks, and how long each lease still lasts.
select id, lease_owner as holder, extract(epoch from lease_until - frasier_now())::float8 as seconds_left
from workflow_tasks where id = any(%(ids)s::uuid[]) and lease_owner is not null and ended_at is null
