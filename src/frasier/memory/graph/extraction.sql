-- name: drop_extracted
-- Removes the automatic edges between memories of the scopes, of one extractor or of all.
delete from memory_edges e using memory_items s, memory_items t
where e.origin = 'auto' and (%(extractor)s::text is null or e.extractor = %(extractor)s::text)
    and s.id = e.source_id and t.id = e.target_id
    and s.scope = any(%(scopes)s::text[]) and t.scope = any(%(scopes)s::text[])
returning s.scope as source_scope, t.scope as target_scope

-- name: texts
-- The texts of memories, except of kinds that are not read.
select id, scope, title, content from memory_items
where id = any(%(ids)s::uuid[]) and kind <> all(%(not_read)s::text[]) order by num

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
