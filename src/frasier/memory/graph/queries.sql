-- name: lock_ends
-- Locks the memories between which edges are about to be drawn against deletion.
select id, scope, kind, tier from memory_items
where id = any(%(ids)s::uuid[]) and scope = any(%(scopes)s::text[])
order by id for key share

-- name: lock_lineage
-- Serialises drawing lineage edges, because two concurrent ones may close a cycle together.
select pg_advisory_xact_lock(hashtext('frasier memory lineage'))

-- name: lineage_leads_to
-- Whether lineage edges lead from one memory to another. UNION drops memories reached before.
with recursive ancestors as (
    select %(start_id)s::uuid as id
    union
    select e.target_id from ancestors a
    join memory_edges e on e.source_id = a.id and e.relation in ('supersedes', 'derived_from')
)
select exists (select from ancestors where id = %(end_id)s::uuid) as leads

-- name: insert_edge
-- Draws an edge unless it exists.
insert into memory_edges (id, source_id, target_id, relation, strength, evidence, origin, extractor, created_by)
values (%(id)s::uuid, %(source_id)s::uuid, %(target_id)s::uuid, %(relation)s::text, %(strength)s::real,
    %(evidence)s::text, %(origin)s::text, %(extractor)s::text, %(created_by)s::text)
on conflict (source_id, target_id, relation) do nothing
returning id, source_id, target_id, relation, strength, evidence, origin, extractor, created_by, created_at

-- name: update_edge
-- Updates an edge, unless an automatic edge would overwrite a deliberate one.
update memory_edges e
set strength = case when kept.so then e.strength else %(strength)s::real end,
    evidence = case when kept.so or %(evidence)s::text = '' then e.evidence else %(evidence)s::text end,
    origin = case when kept.so or e.origin = 'manual' then e.origin else %(origin)s::text end,
    extractor = case when kept.so or e.origin = 'manual' then e.extractor else %(extractor)s::text end,
    created_by = case when kept.so then e.created_by else %(created_by)s::text end
from (
    select id, %(automatic)s::bool and origin not in ('auto', 'gate') as so from memory_edges
    where source_id = %(source_id)s::uuid and target_id = %(target_id)s::uuid and relation = %(relation)s::text
    for update
) kept
where e.id = kept.id
returning e.id, e.source_id, e.target_id, e.relation, e.strength, e.evidence, e.origin, e.extractor,
    e.created_by, e.created_at

-- name: visible_edge
-- One edge whose ends are both in the scopes.
select e.id, e.source_id, e.target_id, e.relation, e.strength, e.evidence, e.origin, e.extractor, e.created_by,
    e.created_at, s.scope as source_scope, t.scope as target_scope, t.kind as target_kind, t.tier as target_tier
from memory_edges e join memory_items s on s.id = e.source_id join memory_items t on t.id = e.target_id
where e.id = %(edge_id)s::uuid and s.scope = any(%(scopes)s::text[]) and t.scope = any(%(scopes)s::text[])
for update of e

-- name: find_edges_by_id_part
-- Edges by their id, its beginning or its end, whose ends are both in the scopes.
select e.id from memory_edges e join memory_items s on s.id = e.source_id join memory_items t on t.id = e.target_id
where %(part)s::text in (left(replace(e.id::text, '-', ''), length(%(part)s::text)),
                         right(replace(e.id::text, '-', ''), length(%(part)s::text)))
    and s.scope = any(%(scopes)s::text[]) and t.scope = any(%(scopes)s::text[])
order by e.created_at desc, e.id limit %(limit)s::int

-- name: delete_edge
-- Removes one edge.
delete from memory_edges where id = %(edge_id)s::uuid

-- name: drop_extracted
-- Removes the automatic edges between memories of the scopes, of one extractor or of all.
delete from memory_edges e using memory_items s, memory_items t
where e.origin = 'auto' and (%(extractor)s::text is null or e.extractor = %(extractor)s::text)
    and s.id = e.source_id and t.id = e.target_id
    and s.scope = any(%(scopes)s::text[]) and t.scope = any(%(scopes)s::text[])
returning s.scope as source_scope, t.scope as target_scope

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

-- name: texts
-- The texts of memories, except of kinds that are not read.
select id, scope, title, content from memory_items
where id = any(%(ids)s::uuid[]) and kind <> all(%(not_read)s::text[]) order by num

-- name: memories_of_ids
-- Which of the ids are memories of the scopes.
select id, scope from memory_items where id = any(%(ids)s::uuid[]) and scope = any(%(scopes)s::text[])

-- name: memories_of_paths
-- The memories of files, by path.
select f.path, m.id as memory_id, m.scope
from memory_files f join memory_items m on m.file_id = f.id
where f.path = any(%(paths)s::text[]) and m.scope = any(%(scopes)s::text[])

-- name: memories_of_names
-- The memories whose title, or label before the title's colon, is one of the names, by scope. If several have the same
-- name, the only live one is the match; with none or several live ones, there is no match.
with asked as materialized (
    select nth, lower(name) as name, lower(split_part(name, ':', 1)) as label
    from unnest(%(names)s::text[]) with ordinality as given (name, nth)
), bearers as (
    select asked.nth, m.scope, lower(m.title) = asked.name as whole, m.id,
        m.tier <> 'deprecated' and m.archived_at is null and (m.expires_at is null or m.expires_at > frasier_now()) as live
    from asked join memory_items m on lower(split_part(m.title, ':', 1)) = asked.label
    where m.scope = any(%(scopes)s::text[]) and m.title <> ''
        and (lower(m.title) = asked.name or asked.label = asked.name)
)
select nth, scope, whole,
    case when count(*) filter (where live) = 1 then (array_agg(id) filter (where live))[1]
        when count(*) = 1 then (array_agg(id))[1] end as memory_id
from bearers group by nth, scope, whole

-- name: edges_of_texts
-- The edges that one extractor drew from the texts of these memories.
select e.id, e.source_id, e.target_id, e.relation, e.evidence, e.created_by
from unnest(%(ids)s::uuid[]) as text (id)
join memory_edges e on e.source_id = text.id or e.target_id = text.id
where e.origin = 'auto' and e.extractor = %(extractor)s::text and e.created_by = text.id::text

-- name: delete_edges
-- Deletes edges; returns the scopes of their ends.
delete from memory_edges e using memory_items s, memory_items t
where e.id = any(%(ids)s::uuid[]) and s.id = e.source_id and t.id = e.target_id
returning s.scope as source_scope, t.scope as target_scope

-- name: count_automatic_edges
-- The number of automatic edges of each memory.
select node.id, count(e.id) as edges
from unnest(%(ids)s::uuid[]) as node (id)
left join memory_edges e on (e.source_id = node.id or e.target_id = node.id) and e.origin = 'auto'
group by node.id
