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
