-- name: lock_retired
-- Locks a retired memory, and returns its earlier state.
select scope, provenance -> 'retired' as retired
from memory_items where id = %(id)s::uuid and scope = any(%(scopes)s::text[]) for no key update

-- name: reinstate
-- Restores the state of a memory from before it was retired.
update memory_items set
    tier = provenance #>> '{retired,tier}',
    valid_until = (provenance #>> '{retired,valid_until}')::timestamptz,
    provenance = provenance - 'retired',
    updated_at = frasier_now()
where id = %(id)s::uuid and provenance ? 'retired'

-- name: successor_edge
-- The gate's edge from the successor of a memory.
select id from memory_edges
where source_id = %(source_id)s::uuid and target_id = %(target_id)s::uuid and relation = 'supersedes'
    and origin = 'gate'

-- name: admissions_of
-- The gate's verdicts that concern a memory, the latest first.
select id, action, memory_id, existing_id, similarity, contradiction, reason, content, created_at
from memory_admissions
where scope = any(%(scopes)s::text[]) and (memory_id = %(memory_id)s::uuid or existing_id = %(memory_id)s::uuid)
order by created_at desc, id desc limit %(limit)s::int

-- name: held_item
-- A memory with the attributes that a new version of it keeps.
select * from memory_attributes where id = %(id)s::uuid and scope = any(%(scopes)s::text[])

-- name: lock_version
-- Locks a memory, and tells its version.
select version from memory_items where id = %(id)s::uuid for no key update

-- name: versions_of
-- The earlier versions of a memory, the latest first.
select version, title, content, tags, triggers, reason, replaced_at
from memory_versions where memory_id = %(memory_id)s::uuid order by version desc limit %(limit)s::int

-- name: read_version
-- One version of a memory.
select title, content, tags, triggers from memory_versions
where memory_id = %(memory_id)s::uuid and version = %(version)s::int
