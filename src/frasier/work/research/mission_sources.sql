-- name: lock_sources
-- Serialises the numbering of the sources of a mission.
select pg_advisory_xact_lock(hashtextextended('sources:' || %(mission_id)s::uuid::text, 0))

-- name: insert_source
-- The number of a source in a mission: the existing one, else the next.
insert into work_sources (mission_id, number, kind, uri, title, sha256, chars, opening, notes)
select %(mission_id)s::uuid, coalesce(max(number), 0) + 1, %(kind)s::text, %(uri)s::text, %(title)s::text,
       %(sha256)s::text, %(chars)s::int, %(opening)s::text, %(notes)s::text[]
from work_sources where mission_id = %(mission_id)s::uuid
on conflict (mission_id, uri) do nothing
returning number

-- name: insert_source_text
-- The whole text of a source.
insert into work_source_texts (mission_id, number, content, marks)
values (%(mission_id)s::uuid, %(number)s::int, %(content)s::text, %(marks)s::jsonb)

-- name: insert_revoking_passages
-- The passages of a source that may say of another one that it no longer holds.
insert into work_revoking_passages (mission_id, number, ordinal, content)
select %(mission_id)s::uuid, %(number)s::int, passage.ordinal, passage.content
from unnest(%(ordinals)s::int[], %(contents)s::text[]) as passage (ordinal, content)

-- name: revoking_passages
-- The passages of a mission's sources that may say of another one that it no longer holds: where there are too many, the
-- first ones of every source.
select number, title, content from (
    select p.number, s.title, p.content, p.ordinal,
           row_number() over (partition by p.number order by p.ordinal) as turn
    from work_revoking_passages p join work_sources s using (mission_id, number)
    where p.mission_id = %(mission_id)s::uuid
    order by turn, p.number limit %(limit)s::int
) chosen
order by number, ordinal

-- name: source_texts
-- The titles and texts of some sources of a mission, with the places of their pages or fragments.
select s.number, s.title, t.content, t.marks from work_sources s join work_source_texts t using (mission_id, number)
where s.mission_id = %(mission_id)s::uuid and s.number = any(%(numbers)s::int[]) order by s.number

-- name: sources_of
-- The sources of a mission.
select * from work_sources where mission_id = %(mission_id)s::uuid order by number
