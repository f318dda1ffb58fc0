-- name: add_strength
-- Makes room for the strength of a memory that has none yet.
insert into memory_strengths (memory_id, stability)
select id, %(stability)s::real from memory_items where id = %(memory_id)s::uuid
on conflict (memory_id) do nothing

-- name: lock_strength
-- Holds the strength of a memory until the transaction ends.
select memory_id from memory_strengths where memory_id = %(memory_id)s::uuid for update

-- name: memory_type
-- Of what type a memory is.
select memory_type from memory_items where id = %(memory_id)s::uuid

-- name: strength_of
-- The strength of a memory as it is kept, if it is, and whether any adjustment of its stability counts.
select m.memory_type, s.difficulty, s.confidence, s.validations, s.review_count, s.reviewed_at, s.access_count,
    s.accessed_at, s.cited_at,
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
-- The changes of a memory's strength that count, in the order in which they were made.
select quantity, operation, amount from memory_adjustments
where memory_id = %(memory_id)s::uuid and undone_at is null order by id

-- name: keep_levels
-- Keeps what the adjustments make of a memory's strength.
update memory_strengths set stability = %(stability)s::real, difficulty = %(difficulty)s::real,
    confidence = %(confidence)s::real
where memory_id = %(memory_id)s::uuid

-- name: corrected_memories
-- The memories whose strength a correction changed.
select distinct memory_id from memory_adjustments
where correction_id = %(correction_id)s::uuid and undone_at is null order by memory_id

-- name: undo_adjustments
-- Marks what a correction changed as undone.
update memory_adjustments set undone_at = now()
where correction_id = %(correction_id)s::uuid and memory_id = any(%(memory_ids)s::uuid[]) and undone_at is null

-- name: count_use
-- Counts an access of each memory; in the order of their ids, so that two who count at once do not deadlock.
insert into memory_strengths (memory_id, stability, access_count, accessed_at)
select m.id, beginning.stability, 1, now()
from memory_items m
join unnest(%(types)s::text[], %(stabilities)s::real[]) as beginning (memory_type, stability) using (memory_type)
where m.id = any(%(memory_ids)s::uuid[]) order by m.id
on conflict (memory_id) do update
    set access_count = memory_strengths.access_count + 1,
        accessed_at = greatest(memory_strengths.accessed_at, excluded.accessed_at)

-- name: note_citation
-- Records a citation of each memory, which is an access as well, though not one more recall.
insert into memory_strengths (memory_id, stability, accessed_at, cited_at)
select m.id, beginning.stability, now(), now()
from memory_items m
join unnest(%(types)s::text[], %(stabilities)s::real[]) as beginning (memory_type, stability) using (memory_type)
where m.id = any(%(memory_ids)s::uuid[]) order by m.id
on conflict (memory_id) do update
    set accessed_at = greatest(memory_strengths.accessed_at, excluded.accessed_at),
        cited_at = greatest(memory_strengths.cited_at, excluded.cited_at)

-- name: note_review
-- Notes that a memory was reviewed.
update memory_strengths set review_count = review_count + 1, reviewed_at = now()
where memory_id = %(memory_id)s::uuid
