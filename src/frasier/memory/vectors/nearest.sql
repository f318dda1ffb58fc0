-- name: extent
-- The number of vectors under the keys, counted up to a limit, and the number in the space's index; null without a
-- complete index.
select
    (select count(*) from (
        select from memory_vectors
        where space_id = %(space)s::smallint and scope_key = any(%(keys)s::bigint[]) limit %(limit)s::int
    ) counted) as held,
    (select index.reltuples::bigint from pg_class index join pg_index on indexrelid = index.oid
        where index.oid = to_regclass(%(index)s::text) and indisvalid) as indexed

-- name: nearest_by_scan
-- The best of the nearest vectors under the keys. The bare column matches no index's expression: all are compared.
select m.num, min(near.distance) as distance
from (
    select memory_num, embedding <=> %(vector)s::halfvec as distance
    from memory_vectors
    where space_id = %(space)s::smallint and scope_key = any(%(keys)s::bigint[])
    order by distance limit %(fetch)s::int
) near
join memory_recallable m on m.num = near.memory_num
where m.scope = any(%(scopes)s::text[]) and m.kind = any(%(kinds)s::text[])
    and (%(agent_id)s::uuid is null or m.agent_id = %(agent_id)s::uuid)
    and (%(period)s::tstzrange is null or coalesce(m.occurred_at, m.created_at) <@ %(period)s::tstzrange)
group by m.num order by distance, m.num limit %(limit)s::int

-- name: nearest_of_all
-- The best of all vectors under the keys, filtered before comparison: correct however few pass the filter.
select m.num, min(v.embedding <=> %(vector)s::halfvec) as distance
from memory_vectors v join memory_recallable m on m.num = v.memory_num
where v.space_id = %(space)s::smallint and v.scope_key = any(%(keys)s::bigint[])
    and m.scope = any(%(scopes)s::text[]) and m.kind = any(%(kinds)s::text[])
    and (%(agent_id)s::uuid is null or m.agent_id = %(agent_id)s::uuid)
    and (%(period)s::tstzrange is null or coalesce(m.occurred_at, m.created_at) <@ %(period)s::tstzrange)
group by m.num order by distance, m.num limit %(limit)s::int
