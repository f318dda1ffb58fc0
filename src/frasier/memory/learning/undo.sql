-- name: lock_correction
-- Locks one correction, with the tier and validity it changed and the edge it drew.
select id, original_id, replacement_id, correction_type, reason, edge_id, tier_before, valid_until_set,
    created_at, undone_at
from memory_corrections where id = %(id)s::uuid for update

-- name: find_corrected_pair
-- The original and the replacement of a correction, which never change.
select c.original_id, c.replacement_id
from memory_corrections c
join memory_items original on original.id = c.original_id and original.scope = any(%(scopes)s::text[])
where c.id = %(id)s::uuid

-- name: find_correction_needing_edge
-- Another active correction of the same two memories that implies the same edge.
select c.id, c.reason, c.corrected_by from memory_corrections c
where c.original_id = %(original_id)s::uuid and c.replacement_id = %(replacement_id)s::uuid
    and c.correction_type = any(%(types)s::text[]) and c.id <> %(id)s::uuid and c.undone_at is null
    and exists (select from memory_adjustments a where a.correction_id = c.id)
order by c.created_at, c.id limit 1

-- name: transfer_edge
-- Assigns an edge to another correction, with its evidence unless somebody else changed that.
with new_owner as (
    update memory_corrections set edge_id = %(edge_id)s::uuid where id = %(correction_id)s::uuid
)
update memory_edges set evidence = %(evidence)s::text, created_by = %(created_by)s::text
where id = %(edge_id)s::uuid and origin = 'correction' and evidence = %(evidence_before)s::text

-- name: delete_correction_edge
-- Deletes the edge of a correction unless somebody has changed its origin since.
delete from memory_edges where id = %(id)s::uuid and origin = 'correction'

-- name: mark_undone
-- Marks the correction as undone; it stays in the record.
update memory_corrections set undone_at = frasier_now() where id = %(id)s::uuid
