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
select id from memory_items
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

-- name: tier_proposals
-- The unanswered tier requests of files for their current content, in those scopes or in all.
select t.id, f.path, t.tier, m.scope, m.id as memory_id, m.title, t.asked_at,
    (t.memory_version, t.memory_hash)
        is distinct from (m.version, sha256(convert_to(m.title || E'\n' || m.content, 'UTF8'))) as is_outdated
from memory_file_tiers t
join memory_files f on f.id = t.file_id and f.content_hash = t.content_hash
join memory_items m on m.file_id = f.id
where t.confirmed is null and m.archived_at is null and starts_with(f.path, %(below)s::text)
    and (%(scopes)s::text[] is null or m.scope = any(%(scopes)s::text[]))
order by t.asked_at, f.path

-- name: unread_edits
-- Changed files of constitutional and critical memories that could not be read, in those scopes or in all.
select f.path, f.reason, f.scanned_at as noticed_at, m.id as memory_id, m.tier, m.title
from memory_files f join memory_items m on m.file_id = f.id
where f.status in ('failed', 'pending') and m.archived_at is null and m.tier in ('constitutional', 'critical')
    and (%(scopes)s::text[] is null or m.scope = any(%(scopes)s::text[]))
order by f.path

-- name: find_tier_answer
-- The founder's answer for a file with this content.
select confirmed from memory_file_tiers where file_id = %(file_id)s::uuid and content_hash = %(content_hash)s::bytea

-- name: propose_tier
-- Stores a file's tier request, replacing unanswered requests for other content. The id changes with the memory, so that
-- an answer refers to the content that was seen.
with outdated as (
    delete from memory_file_tiers
    where file_id = %(file_id)s::uuid and content_hash <> %(content_hash)s::bytea and confirmed is null
)
insert into memory_file_tiers as t (id, file_id, content_hash, tier, memory_version, memory_hash)
select %(id)s::uuid, %(file_id)s::uuid, %(content_hash)s::bytea, %(tier)s::text, version,
    sha256(convert_to(title || E'\n' || content, 'UTF8'))
from memory_items where id = %(memory_id)s::uuid
on conflict on constraint memory_file_tiers_once do update
    set id = excluded.id, memory_version = excluded.memory_version, memory_hash = excluded.memory_hash
    where t.confirmed is null
        and (t.memory_version, t.memory_hash) is distinct from (excluded.memory_version, excluded.memory_hash)

-- name: answer_tier
-- Records the founder's answer.
update memory_file_tiers
set confirmed = %(confirmed)s::bool, answered_at = frasier_now(), answered_by = %(answered_by)s::text
where id = %(id)s::uuid and confirmed is null

-- name: confirm_written
-- Records the tier as confirmed by the writer of the content.
insert into memory_file_tiers (id, file_id, content_hash, tier, confirmed, answered_at, answered_by)
values (%(id)s::uuid, %(file_id)s::uuid, %(content_hash)s::bytea, %(tier)s::text, true, frasier_now(), %(answered_by)s::text)
on conflict on constraint memory_file_tiers_once do update
    set confirmed = true, answered_at = frasier_now(), answered_by = excluded.answered_by

-- name: raise_tier
-- Sets the requested tier of a file's memory, without expiry, if the memory is unchanged since the request.
update memory_items m set tier = t.tier, expires_at = null, updated_at = frasier_now(),
    provenance = m.provenance || jsonb_build_object('file_tier', t.tier)
from memory_file_tiers t
where t.id = %(id)s::uuid and m.file_id = t.file_id and m.version = t.memory_version
    and sha256(convert_to(m.title || E'\n' || m.content, 'UTF8')) = t.memory_hash
returning m.id

-- name: lower_tier
-- Resets a tier that a file gave its memory without confirmation.
update memory_items set tier = 'normal', updated_at = frasier_now(), provenance = provenance - 'file_tier'
where id = %(memory_id)s::uuid

-- name: claim_root
-- Begins a scan of a folder, unless one began less than a minute ago and it is not forced.
insert into memory_roots as r (path, scanned_at) values (%(path)s::text, frasier_now())
on conflict (path) do update set scanned_at = frasier_now()
where %(force)s::bool or r.scanned_at <= frasier_now() - interval '60 seconds'
returning path

-- name: scanned_seconds_ago
-- The seconds since the last scan of a folder began.
select extract(epoch from frasier_now() - scanned_at)::float8 as seconds from memory_roots where path = %(path)s::text

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
