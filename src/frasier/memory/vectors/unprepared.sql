-- name: copy_vectors
-- Stores vectors, each sent as PostgreSQL keeps it.
copy memory_vectors (space_id, memory_num, part, scope_key, embedding) from stdin (format binary)

-- name: nearest_by_index
-- The best of those that the index finds nearest. Its expression is the index's own, so that the planner knows it.
select m.num, min(near.distance) as distance
from (
    select memory_num, embedding::halfvec({dimension}) <=> %(vector)s::halfvec({dimension}) as distance
    from memory_vectors
    where space_id = {space} and scope_key = any(%(keys)s::bigint[])
    order by distance limit %(fetch)s::int
) near
join memory_recallable m on m.num = near.memory_num
where m.scope = any(%(scopes)s::text[]) and m.kind = any(%(kinds)s::text[])
    and (%(agent_id)s::uuid is null or m.agent_id = %(agent_id)s::uuid)
group by m.num order by distance, m.num limit %(limit)s::int

-- name: drop_index
-- Without stopping who reads and writes.
drop index concurrently if exists {name}

-- name: create_index
-- Without stopping who reads and writes.
create index concurrently {name} on memory_vectors
using hnsw ((embedding::halfvec({dimension})) halfvec_cosine_ops) with (m = 16, ef_construction = 64)
where space_id = {space}

-- name: analyze_vectors
-- Without statistics the planner takes every scope for a small one, and sorts it instead of asking the index.
analyze memory_vectors
