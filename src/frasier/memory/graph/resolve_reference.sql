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
