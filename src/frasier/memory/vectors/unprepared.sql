-- Statements that PostgreSQL cannot prepare: index definitions, COPY, and a search that names its index.
-- Braces enclose names and numbers that must be literals, which psycopg.sql fills in.

-- name: copy_vectors
-- Stores vectors, sent in PostgreSQL's binary form.
copy memory_vectors (space_id, memory_num, part, scope_key, embedding) from stdin (format binary)

-- name: nearest_by_index
-- The best of the nearest vectors by the index. The expression is the index's own, so that the planner uses it.
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
    and (%(period)s::tstzrange is null or coalesce(m.occurred_at, m.created_at) <@ %(period)s::tstzrange)
group by m.num order by distance, m.num limit %(limit)s::int

-- name: drop_index
-- Drops an index without blocking readers and writers.
drop index concurrently if exists {name}

-- name: create_index
-- Creates an index without blocking readers and writers.
create index concurrently {name} on memory_vectors
using hnsw ((embedding::halfvec({dimension})) halfvec_cosine_ops) with (m = 16, ef_construction = 64)
where space_id = {space}

-- name: analyze_vectors
-- Updates statistics: without them the planner assumes that every scope is small, and sorts instead of using the index.
analyze memory_vectors
