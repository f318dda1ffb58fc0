-- name: share_group
-- Takes the shared lock of a group, for moves of single tasks; operations on all its tasks take it exclusively.
select pg_advisory_xact_lock_shared(hashtextextended('group:' || %(group_id)s::uuid::text, 0))

-- name: lock_group
-- Takes the exclusive lock of a group: waits until no move is under way in it, and lets none begin.
select pg_advisory_xact_lock(hashtextextended('group:' || %(group_id)s::uuid::text, 0))

-- name: tasks_of_group
-- Every task of a group, oldest first; none comes before one that it depends on.
select * from workflow_tasks where group_id = %(group_id)s::uuid order by num

-- name: first_tasks_of_groups
-- The oldest task of each of some groups.
select distinct on (group_id) * from workflow_tasks where group_id = any(%(groups)s::uuid[]) order by group_id, num

-- name: groups_of_tasks
-- The group of each of some tasks; other ids are left out.
select id, group_id from workflow_tasks where id = any(%(ids)s::uuid[])

-- name: hold_group
-- Pauses or continues every open task of a group.
update workflow_tasks set held = %(held)s::boolean, updated_at = frasier_now()
where group_id = %(group_id)s::uuid and ended_at is null and held <> %(held)s::boolean

-- name: lock_open_tasks
-- The open tasks of a group, dependants first, so that none of them fails before it is cancelled.
select id from workflow_tasks where group_id = %(group_id)s::uuid and ended_at is null
order by num desc for no key update
