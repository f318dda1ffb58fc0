-- name: edge_totals
-- The numbers of edges between memories of the scopes, by relation and origin.
select e.relation, e.origin, count(*) as edges, sum(e.strength::float8) as strength
from memory_edges e join memory_items s on s.id = e.source_id join memory_items t on t.id = e.target_id
where s.scope = any(%(scopes)s::text[]) and t.scope = any(%(scopes)s::text[])
group by e.relation, e.origin order by e.relation, e.origin

-- name: edge_ends
-- The numbers of distinct sources and targets of edges.
select count(distinct e.source_id) as sources, count(distinct e.target_id) as targets
from memory_edges e join memory_items s on s.id = e.source_id join memory_items t on t.id = e.target_id
where s.scope = any(%(scopes)s::text[]) and t.scope = any(%(scopes)s::text[])

-- name: scope_coverage
-- For each scope the numbers of memories, of those with an edge, and of those with one that no extractor drew. IN is
-- hashed even when the planner cannot estimate the number of edges.
with drawn as materialized (
    select e.source_id, e.target_id, e.origin
    from memory_edges e join memory_items s on s.id = e.source_id join memory_items t on t.id = e.target_id
    where s.scope = any(%(scopes)s::text[]) and t.scope = any(%(scopes)s::text[])
)
select asked.scope, count(m.id) as memories,
    count(*) filter (where m.id in (
        select source_id from drawn union all select target_id from drawn)) as linked,
    count(*) filter (where m.id in (
        select source_id from drawn where origin <> 'auto'
        union all select target_id from drawn where origin <> 'auto')) as linked_deliberately
from unnest(%(scopes)s::text[]) as asked (scope)
left join memory_recallable m on m.scope = asked.scope and m.kind = any(%(kinds)s::text[])
group by asked.scope order by asked.scope

-- name: orphan_edges
-- Edges without one of their memories, each counted once. The foreign keys make it zero.
select count(*) as orphans from memory_edges e
where not exists (select from memory_items where id = e.source_id)
    or not exists (select from memory_items where id = e.target_id)
