-- name: asked_in
-- The last query of the memory within a session.
select asked_by as by, asked_at as at from memory_sessions where id = %(id)s::text and asked_by is not null

-- name: contributed
-- The author of a memory, and the time of saving.
select provenance ->> 'saved_by' as by, created_at as at from memory_items
where id = %(id)s::uuid and provenance ->> 'saved_by' is not null
