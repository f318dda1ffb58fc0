-- name: get_checkpoint
-- What a phase came to for these inputs.
select output from work_checkpoints
where task_id = %(task_id)s::uuid and phase = %(phase)s::text and fingerprint = %(fingerprint)s::text

-- name: save_checkpoint
-- Stores what a phase came to; the caller holds the fence.
insert into work_checkpoints (task_id, phase, fingerprint, attempt, output)
values (%(task_id)s::uuid, %(phase)s::text, %(fingerprint)s::text, %(attempt)s::int, %(output)s::jsonb)
on conflict do nothing

-- name: phases_of
-- Which phases some tasks have been through, in order.
select task_id, phase, attempt, created_at from work_checkpoints
where task_id = any(%(task_ids)s::uuid[]) order by created_at

-- name: rules_left_out
-- Which standing rules found no room in the prompts of some tasks, as the contexts of their runs say.
select distinct c.task_id, (rule ->> 'directive')::uuid as directive, rule ->> 'text' as text
from work_checkpoints c cross join lateral jsonb_array_elements(c.output -> 'rules_left_out') rule
where c.task_id = any(%(task_ids)s::uuid[]) and c.phase = 'context' order by directive, c.task_id

-- name: lock_sources
-- Numbers are given out by one transaction of a mission at a time.
select pg_advisory_xact_lock(hashtextextended('sources:' || %(mission_id)s::uuid::text, 0))

-- name: insert_source
-- The next number of a mission for a source; the number it has where it was read before.
insert into work_sources (mission_id, number, kind, uri, title, sha256, chars, opening, notes)
select %(mission_id)s::uuid, coalesce(max(number), 0) + 1, %(kind)s::text, %(uri)s::text, %(title)s::text,
       %(sha256)s::text, %(chars)s::int, %(opening)s::text, %(notes)s::text[]
from work_sources where mission_id = %(mission_id)s::uuid
on conflict (mission_id, uri) do nothing
returning number

-- name: sources_of
-- The sources of a mission.
select * from work_sources where mission_id = %(mission_id)s::uuid order by number
