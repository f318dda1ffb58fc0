-- name: lock_uploads
-- Lets one request of a caller at a time add a file, so that their number is bounded.
select pg_advisory_xact_lock(hashtextextended('uploads:' || %(caller)s::text, 0)) is null as locked

-- name: add_upload
-- Stores a file.
insert into work_uploads (id, caller, name, content, sha256)
values (%(id)s::uuid, %(caller)s::text, %(name)s::text, %(content)s::bytea, %(sha256)s::text)
returning id, name, length(content) as bytes, sha256, created_at,
    created_at + make_interval(secs => %(kept_s)s::float8) as expires_at

-- name: uploads_of
-- The files of a caller that wait for a mission, oldest first.
select id, name, length(content) as bytes, sha256, created_at,
    created_at + make_interval(secs => %(kept_s)s::float8) as expires_at
from work_uploads
where caller = %(caller)s::text and created_at > frasier_now() - make_interval(secs => %(kept_s)s::float8)
order by created_at, id

-- name: read_uploads
-- Files of a caller with their content.
select id, name, content from work_uploads
where caller = %(caller)s::text and id = any(%(ids)s::uuid[])
    and created_at > frasier_now() - make_interval(secs => %(kept_s)s::float8)

-- name: delete_uploads
-- Deletes files of a caller.
delete from work_uploads where caller = %(caller)s::text and id = any(%(ids)s::uuid[])

-- name: purge_uploads
-- Deletes the files whose time is over.
delete from work_uploads where created_at < frasier_now() - make_interval(secs => %(kept_s)s::float8)
