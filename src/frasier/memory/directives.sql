-- name: directives_in_force
-- The founder's directives in force, the most important and newest first.
select * from memory_attributes where kind = 'directive' and archived_at is null
order by importance desc, last_seen_at desc, num desc limit %(limit)s::int

-- name: constitutional_facts
-- The constitutional memories of some scopes that are no directives, the most important and newest first.
select * from memory_recallable
where tier = 'constitutional' and kind <> 'directive' and scope = any(%(scopes)s::text[])
order by importance desc, last_seen_at desc, num desc limit %(limit)s::int

-- name: directives_like
-- Directives by the beginning or end of their id, withdrawn ones too.
select * from memory_attributes
where kind = 'directive' and %(part)s::text in (left(replace(id::text, '-', ''), length(%(part)s::text)),
                                                right(replace(id::text, '-', ''), length(%(part)s::text)))
order by num desc limit %(limit)s::int

-- name: withdraw_directive
-- Ends a directive that is in force; it stays readable by its id.
with withdrawn as (
    update memory_items set archived_at = frasier_now(), updated_at = frasier_now(),
        provenance = provenance || jsonb_build_object('withdrawn_at', frasier_now())
    where id = %(id)s::uuid and kind = 'directive' and archived_at is null
    returning scope
), noted as (
    insert into memory_changes (scope) select scope from withdrawn
)
select scope from withdrawn
