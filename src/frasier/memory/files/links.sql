-- name: memories_of_ids
-- Which of the ids are memories of the scopes.
select id from memory_items where id = any(%(ids)s::uuid[]) and scope = any(%(scopes)s::text[])

-- name: memories_of_paths
-- The memories of the files at exactly these paths.
select f.path, m.id from memory_files f join memory_items m on m.file_id = f.id
where f.path = any(%(paths)s::text[]) and m.scope = any(%(scopes)s::text[])

-- name: memories_of_titles
-- The only recallable memory with each of these titles.
select m.title, (array_agg(m.id))[1] as id
from unnest(%(titles)s::text[]) as asked (title)
join memory_recallable m on lower(split_part(m.title, ':', 1)) = lower(split_part(asked.title, ':', 1))
    and m.title = asked.title
where m.scope = any(%(scopes)s::text[]) and m.kind not in ('marker', 'conversation', 'passage')
group by m.title having count(*) = 1

-- name: edges_of_file
-- The edges that a file drew, and those at its memory that were drawn deliberately.
select id, source_id, target_id, relation, origin, created_by from memory_edges
where (source_id = %(memory_id)s::uuid or target_id = %(memory_id)s::uuid)
    and origin in ('file', 'manual', 'correction')

-- name: delete_unresolved_links
-- Deletes the unresolved references of a memory's file.
delete from memory_unresolved_links where memory_id = %(memory_id)s::uuid

-- name: store_unresolved_links
-- Stores unresolved references.
insert into memory_unresolved_links (memory_id, relation, reference)
select %(memory_id)s::uuid, link.relation, link.reference
from unnest(%(relations)s::text[], %(references)s::text[]) as link (relation, reference)
on conflict do nothing

-- name: unresolved_links
-- The unresolved references of the scopes, with the path and root of their files.
select u.memory_id, u.relation, u.reference, coalesce(f.path, '') as path, coalesce(f.root, '') as root
from memory_unresolved_links u join memory_items m on m.id = u.memory_id
left join memory_files f on f.id = m.file_id
where m.scope = any(%(scopes)s::text[]) and m.archived_at is null
order by u.memory_id, u.relation, u.reference

-- name: delete_resolved_link
-- Deletes a reference that is now resolved.
delete from memory_unresolved_links
where memory_id = %(memory_id)s::uuid and relation = %(relation)s::text and reference = %(reference)s::text
