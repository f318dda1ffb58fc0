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
