-- name: lock_targets
-- Locks the memories about to be changed, always in the same order to prevent deadlocks.
select id, kind, scope, tier, memory_type, valid_from, valid_until, archived_at,
    expires_at is not null and expires_at <= frasier_now() as expired
from memory_items where id = any(%(ids)s::uuid[]) order by id for no key update

-- name: find_same_correction
-- An equal correction that is not undone.
select id from memory_corrections
where original_id = %(original_id)s::uuid and correction_type = %(correction_type)s::text
    and replacement_id is not distinct from %(replacement_id)s::uuid and undone_at is null
order by created_at, id limit 1

-- name: draw_edge
-- Draws the edge of a correction unless it exists.
insert into memory_edges (id, source_id, target_id, relation, evidence, origin, created_by)
values (%(id)s::uuid, %(source_id)s::uuid, %(target_id)s::uuid, %(relation)s::text, %(evidence)s::text,
    'correction', %(created_by)s::text)
on conflict (source_id, target_id, relation) do nothing

-- name: record_correction
-- Stores a correction, with the tier and validity it changed and the edge it drew.
insert into memory_corrections (id, original_id, replacement_id, correction_type, reason, corrected_by, pattern,
    edge_id, tier_before, valid_until_set)
values (%(id)s::uuid, %(original_id)s::uuid, %(replacement_id)s::uuid, %(correction_type)s::text,
    %(reason)s::text, %(corrected_by)s::text, %(pattern)s::text, %(edge_id)s::uuid, %(tier_before)s::text,
    %(valid_until_set)s::bool)

-- name: read_correction
-- One correction of a memory in these scopes; the replacement only if it is in them too.
select c.id, c.original_id, replacement.id as replacement_id, c.correction_type, c.reason, c.corrected_by,
    c.pattern, c.created_at, c.undone_at,
    exists (select from memory_adjustments a where a.correction_id = c.id) as applied
from memory_corrections c
join memory_items original on original.id = c.original_id and original.scope = any(%(scopes)s::text[])
left join memory_items replacement
    on replacement.id = c.replacement_id and replacement.scope = any(%(scopes)s::text[])
where c.id = %(id)s::uuid

-- name: corrections_of
-- The corrections of memories in these scopes, or those that involve one memory, latest first.
select c.id, c.original_id, replacement.id as replacement_id, c.correction_type, c.reason, c.corrected_by,
    c.pattern, c.created_at, c.undone_at,
    exists (select from memory_adjustments a where a.correction_id = c.id) as applied
from memory_corrections c
join memory_items original on original.id = c.original_id and original.scope = any(%(scopes)s::text[])
left join memory_items replacement
    on replacement.id = c.replacement_id and replacement.scope = any(%(scopes)s::text[])
where %(memory_id)s::uuid is null or %(memory_id)s::uuid in (c.original_id, replacement.id)
order by c.created_at desc, c.id desc limit %(limit)s::int

-- name: count_corrections
-- The numbers of corrections of memories in these scopes, by type.
select c.correction_type, count(*) as total, count(*) filter (where c.undone_at is not null) as undone,
    count(*) filter (where c.created_at > frasier_now() - interval '7 days') as recent
from memory_corrections c
join memory_items original on original.id = c.original_id and original.scope = any(%(scopes)s::text[])
group by c.correction_type

-- name: find_corrections_by_id_part
-- Corrections of memories in the scopes by their id, its beginning or its end.
select c.id from memory_corrections c
join memory_items original on original.id = c.original_id and original.scope = any(%(scopes)s::text[])
where %(part)s::text in (left(replace(c.id::text, '-', ''), length(%(part)s::text)),
                         right(replace(c.id::text, '-', ''), length(%(part)s::text)))
order by c.created_at desc, c.id limit %(limit)s::int

-- name: is_readable
-- Whether a memory is in one of these scopes.
select id from memory_items where id = %(id)s::uuid and scope = any(%(scopes)s::text[])
