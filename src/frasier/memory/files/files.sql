-- name: lock_path
-- Serialises reading and storing the file at a path, across all processes.
select pg_advisory_xact_lock(hashtextextended('frasier memory file ' || %(path)s::text, 0))

-- name: file_of_path
-- The row of a file and of its memory. promoted_itself means that nobody confirmed the raised tier that it has.
select f.id as file_id, f.path, f.scope, f.content_hash, f.status, m.id as memory_id, m.version, m.tier, m.importance,
    m.provenance,
    coalesce(m.tier in ('constitutional', 'critical', 'important') and m.provenance ->> 'file_tier' = m.tier
        and f.content_hash is not null and not exists (
            select from memory_file_tiers t
            where t.file_id = f.id and t.content_hash = f.content_hash and t.confirmed), false) as promoted_itself
from memory_files f left join memory_items m on m.file_id = f.id
where f.path = %(path)s::text for update of f

-- name: text_of_version
-- Whether a memory says something else now than in an earlier version.
select (v.title, v.content, v.tags, v.triggers) is distinct from (m.title, m.content, m.tags, m.triggers) as replaced
from memory_versions v join memory_items m on m.id = v.memory_id
where v.memory_id = %(memory_id)s::uuid and v.version = %(version)s::int

-- name: hash_of_file
-- The hash of a file when it was read last; null if it never was.
select content_hash from memory_files where id = %(file_id)s::uuid

-- name: files_under
-- The known files below a folder, whose path ends in a slash.
select f.id as file_id, f.path, f.scope, f.content_hash is not null as is_read, f.mtime_ns, f.size_bytes, f.status,
    coalesce(m.tier in ('constitutional', 'critical', 'important') and m.provenance ->> 'file_tier' = m.tier
        and f.content_hash is not null and not exists (
            select from memory_file_tiers t
            where t.file_id = f.id and t.content_hash = f.content_hash and t.confirmed), false) as promoted_itself
from memory_files f left join memory_items m on m.file_id = f.id
where starts_with(f.path, %(folder)s::text) order by f.path

-- name: files_of_hash
-- Files of the scope with exactly this content and a memory, one of which may have been moved.
select f.id as file_id, f.path from memory_files f join memory_items m on m.file_id = f.id
where f.content_hash = %(content_hash)s::bytea and f.scope = %(scope)s::text and f.path <> %(path)s::text
order by f.path limit 100 for update of f skip locked

-- name: former_memory
-- The archived memory of the file that was at this path before.
select id, provenance from memory_items
where archived_at is not null and file_id is null and provenance ->> 'path' = %(path)s::text
    and scope = %(scope)s::text
order by updated_at desc, num desc limit 1

-- name: save_file
-- Stores the state of a file that was read.
insert into memory_files (id, path, root, scope, content_hash, mtime_ns, size_bytes, status)
values (%(id)s::uuid, %(path)s::text, %(root)s::text, %(scope)s::text, %(content_hash)s::bytea,
    %(mtime_ns)s::bigint, %(size_bytes)s::bigint, 'indexed')
on conflict (path) do update set root = excluded.root, scope = excluded.scope,
    content_hash = excluded.content_hash, mtime_ns = excluded.mtime_ns, size_bytes = excluded.size_bytes,
    status = 'indexed', reason = '', scanned_at = frasier_now()
returning id

-- name: move_file
-- Changes the path of a file.
update memory_files set path = %(path)s::text, root = %(root)s::text where id = %(file_id)s::uuid

-- name: mark_file
-- Records that a file is pending or failed, and why; its existing memory is unchanged.
insert into memory_files (id, path, root, scope, status, reason)
values (%(id)s::uuid, %(path)s::text, %(root)s::text, %(scope)s::text, %(status)s::text, %(reason)s::text)
on conflict (path) do update set status = excluded.status, reason = excluded.reason, scanned_at = frasier_now()

-- name: delete_file
-- Deletes the row of a vanished file; its memory stays, without a file.
delete from memory_files where id = %(file_id)s::uuid

-- name: place_memory
-- Attaches a memory to its file, and records the path.
update memory_items set file_id = %(file_id)s::uuid,
    provenance = provenance || jsonb_build_object('path', %(path)s::text)
where id = %(memory_id)s::uuid and (file_id is null or file_id = %(file_id)s::uuid)

-- name: claim_root
-- Begins a scan of a folder, unless one began less than a minute ago and it is not forced.
insert into memory_roots as r (path, scanned_at) values (%(path)s::text, frasier_now())
on conflict (path) do update set scanned_at = frasier_now()
where %(force)s::bool or r.scanned_at <= frasier_now() - interval '60 seconds'
returning path

-- name: scanned_seconds_ago
-- The seconds since the last scan of a folder began.
select extract(epoch from frasier_now() - scanned_at)::float8 as seconds from memory_roots where path = %(path)s::text
