-- name: find_correction_locks
-- The active corrections, except perhaps one, that keep a memory deprecated or have ended its validity.
select id, tier_before, valid_until_set, created_at from memory_corrections
where original_id = %(original_id)s::uuid and id is distinct from %(except_id)s::uuid and undone_at is null
    and (tier_before is not null or valid_until_set)
order by created_at, id

-- name: release_tier
-- Somebody changed the memory's tier since, so earlier corrections no longer restore it.
update memory_corrections set tier_before = null
where original_id = %(original_id)s::uuid and undone_at is null and tier_before is not null

-- name: release_validity
-- Somebody changed the memory's end of validity since, so earlier corrections no longer restore it.
update memory_corrections set valid_until_set = false
where original_id = %(original_id)s::uuid and undone_at is null and valid_until_set

-- name: set_tier
-- Sets the tier of a locked memory.
update memory_items set tier = %(tier)s::text, updated_at = frasier_now() where id = %(id)s::uuid

-- name: end_validity
-- Ends the validity of a memory now, or at its beginning if that is later.
update memory_items set valid_until = greatest(frasier_now(), valid_from), updated_at = frasier_now() where id = %(id)s::uuid

-- name: set_validity
-- Sets the end of validity of a locked fact; null means no end.
update memory_items set valid_until = %(valid_until)s::timestamptz, updated_at = frasier_now() where id = %(id)s::uuid

-- name: find_duplicate
-- The memory that already has the same text, which the schema allows only once.
select duplicate.id from memory_items m join memory_items duplicate
    on duplicate.content_hash = m.content_hash and duplicate.scope = m.scope and duplicate.kind = m.kind
        and duplicate.agent_id is not distinct from m.agent_id
where m.id = %(id)s::uuid and duplicate.id <> m.id and duplicate.tier <> 'deprecated' and duplicate.archived_at is null
    and duplicate.file_id is null
