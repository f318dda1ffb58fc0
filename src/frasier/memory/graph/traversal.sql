-- name: linked_memories
-- The shown columns of memories, and their recall status.
select id, scope, kind, title, left(content, 400) as beginning,
    case when archived_at is not null then 'archived' when tier = 'deprecated' then 'deprecated'
        when expires_at <= frasier_now() then 'expired' when valid_until <= frasier_now() then 'outdated'
        else 'live' end as standing
from memory_items where id = any(%(ids)s::uuid[]) and scope = any(%(scopes)s::text[])

-- name: neighbours
-- The strongest edges of each node to memories of the scopes, with separate relations for each direction.
select near.id as near_id, found.*
from unnest(%(nodes)s::uuid[]) as near (id)
cross join lateral (
    select * from (
        select e.id, e.source_id, e.target_id, e.relation, e.strength, e.evidence, e.origin, e.extractor,
            e.created_by, e.created_at, e.source_id as far_id
        from memory_edges e join memory_items m on m.id = e.source_id
        where e.target_id = near.id and e.relation = any(%(incoming)s::text[])
            and m.scope = any(%(scopes)s::text[])
        union all
        select e.id, e.source_id, e.target_id, e.relation, e.strength, e.evidence, e.origin, e.extractor,
            e.created_by, e.created_at, e.target_id as far_id
        from memory_edges e join memory_items m on m.id = e.target_id
        where e.source_id = near.id and e.relation = any(%(outgoing)s::text[])
            and m.scope = any(%(scopes)s::text[])
    ) either order by strength desc, id limit %(cap)s::int
) found
order by near.id, found.strength desc, found.id

-- name: graph_neighbours
-- The memories one or two hops from the seeds, by the best path. The limits inside the laterals make the planner look up
-- the edges of each node separately; the last OFFSET makes it check no more memories than are returned.
with weights (relation, along, against) as materialized (
    select * from unnest(%(relations)s::text[], %(along)s::float8[], %(against)s::float8[])
), seeds as materialized (
    select m.id, m.num, given.score
    from unnest(%(nums)s::bigint[], %(scores)s::float8[]) as given (num, score)
    join memory_items m on m.num = given.num and m.scope = any(%(scopes)s::text[])
), first_hop as materialized (
    select found.num, found.id, max(seeds.score * found.strength * (
        select case when found.along then w.along else w.against end
        from weights w where w.relation = found.relation)) as score
    from seeds cross join lateral (
        select edge.*, m.num
        from (
            select * from (
                select id as edge_id, relation, strength, true as along, target_id as id from memory_edges
                where source_id = seeds.id
                union all
                select id, relation, strength, false, source_id from memory_edges where target_id = seeds.id
            ) either order by strength desc, edge_id offset 0
        ) edge join memory_items m on m.id = edge.id and m.scope = any(%(scopes)s::text[])
        order by edge.strength desc, edge.edge_id limit %(edges)s::int
    ) found
    group by found.num, found.id
), nearest as materialized (
    select * from first_hop order by score desc, num limit %(reached)s::int
), second_hop as (
    select found.num, nearest.score * found.strength * (
        select case when found.along then w.along else w.against end
        from weights w where w.relation = found.relation) as score
    from nearest cross join lateral (
        select edge.*, m.num
        from (
            select * from (
                select id as edge_id, relation, strength, true as along, target_id as id from memory_edges
                where source_id = nearest.id
                union all
                select id, relation, strength, false, source_id from memory_edges where target_id = nearest.id
            ) either order by strength desc, edge_id offset 0
        ) edge join memory_items m on m.id = edge.id and m.scope = any(%(scopes)s::text[])
        order by edge.strength desc, edge.edge_id limit %(edges)s::int
    ) found
)
select best.num, best.score
from (
    select num, max(score) as score
    from (select num, score from first_hop union all select num, score from second_hop) either
    where num <> all(%(nums)s::bigint[])
    group by num order by score desc, num offset 0
) best join memory_recallable m on m.num = best.num
where m.kind = any(%(kinds)s::text[])
order by best.score desc, best.num limit %(limit)s::int
