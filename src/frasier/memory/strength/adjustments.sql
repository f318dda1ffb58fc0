-- name: add_strength
-- Adds the row for the strength of a memory that has none yet.
insert into memory_strengths (memory_id, stability)
select id, %(stability)s::real from memory_items where id = %(memory_id)s::uuid
on conflict (memory_id) do nothing

-- name: lock_strength
-- Locks the strength of a memory until the transaction ends.
select memory_id from memory_strengths where memory_id = %(memory_id)s::uuid for update

-- name: memory_type
-- The type of a memory.
select memory_type from memory_items where id = %(memory_id)s::uuid

-- name: strength_of
-- The stored strength of a memory, if any; its stability only if an adjustment is in effect.
select m.memory_type, s.difficulty, s.confidence, s.validations, s.review_count, s.reviewed_at, s.use_count,
    s.used_at, s.accessed_at, s.cited_at,
    case when exists (
        select from memory_adjustments a
        where a.memory_id = m.id and a.quantity = 'stability' and a.undone_at is null
    ) then s.stability end as adjusted_stability
from memory_items m left join memory_strengths s on s.memory_id = m.id
where m.id = %(memory_id)s::uuid

-- name: record_adjustment
-- Appends a change of a memory's strength.
insert into memory_adjustments (memory_id, cause, quantity, operation, amount, correction_id)
values (%(memory_id)s::uuid, %(cause)s::text, %(quantity)s::text, %(operation)s::text, %(amount)s::float8,
    %(correction_id)s::uuid)
returning id

-- name: adjustments_of
-- The adjustments of a memory's strength in effect, in the order in which they were made.
select quantity, operation, amount from memory_adjustments
where memory_id = %(memory_id)s::uuid and undone_at is null order by id

-- name: keep_levels
-- Stores the replayed strength of a memory.
update memory_strengths set stability = %(stability)s::real, difficulty = %(difficulty)s::real,
    confidence = %(confidence)s::real
where memory_id = %(memory_id)s::uuid

-- name: corrected_memories
-- The memories whose strength a correction changed.
select distinct memory_id from memory_adjustments
where correction_id = %(correction_id)s::uuid and undone_at is null order by memory_id

-- name: undo_adjustments
-- Marks the adjustments of a correction as undone.
update memory_adjustments set undone_at = frasier_now()
where correction_id = %(correction_id)s::uuid and memory_id = any(%(memory_ids)s::uuid[]) and undone_at is null
