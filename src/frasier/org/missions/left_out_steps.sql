-- name: insert_left_out
-- Records that a step was left out, and who would have built on it.
insert into org_left_out_steps (task_id, mission_id, reason, dependants)
values (%(task_id)s::uuid, %(mission_id)s::uuid, %(reason)s::text, %(dependants)s::uuid[])

-- name: left_out_of
-- The steps of a mission that were left out, with what their task was.
select l.task_id, l.mission_id, s.key, s.title, l.reason, l.dependants
from org_left_out_steps l join org_steps s on s.task_id = l.task_id
where l.mission_id = %(mission_id)s::uuid order by l.left_out_at, s.key
