-- name: note_shown
-- Records when memories were last shown by a recall, to the hour; in the order of their ids, so that concurrent writers
-- do not deadlock.
insert into memory_strengths (memory_id, stability, accessed_at)
select m.id, beginning.stability, frasier_now()
from memory_items m
join unnest(%(types)s::text[], %(stabilities)s::real[]) as beginning (memory_type, stability) using (memory_type)
where m.id = any(%(memory_ids)s::uuid[]) order by m.id
on conflict (memory_id) do update set accessed_at = excluded.accessed_at
    where (memory_strengths.accessed_at > excluded.accessed_at - interval '1 hour') is not true

-- name: count_use
-- Counts a use of each memory, and a citation if it was one; in the order of their ids, as above.
insert into memory_strengths (memory_id, stability, use_count, used_at, accessed_at, cited_at)
select m.id, beginning.stability, 1, frasier_now(), frasier_now(), case when %(cited)s::bool then frasier_now() end
from memory_items m
join unnest(%(types)s::text[], %(stabilities)s::real[]) as beginning (memory_type, stability) using (memory_type)
where m.id = any(%(memory_ids)s::uuid[]) order by m.id
on conflict (memory_id) do update
    set use_count = memory_strengths.use_count + 1,
        used_at = greatest(memory_strengths.used_at, excluded.used_at),
        accessed_at = greatest(memory_strengths.accessed_at, excluded.accessed_at),
        cited_at = greatest(memory_strengths.cited_at, excluded.cited_at)

-- name: note_review
-- Records a review of a memory.
update memory_strengths set review_count = review_count + 1, reviewed_at = frasier_now()
where memory_id = %(memory_id)s::uuid
