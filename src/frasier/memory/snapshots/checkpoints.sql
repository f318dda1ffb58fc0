-- name: lock_checkpoints
-- Serialises storing checkpoints of the same scopes.
select pg_advisory_xact_lock(hashtextextended('memory checkpoints:' || array_to_string(%(scopes)s::text[], ' '), 0))

-- name: count_checkpoints
-- The number of named checkpoints of exactly these scopes, and whether any checkpoint has the name.
select count(*) filter (where scopes = %(scopes)s::text[] and not starts_with(name, 'before-'))
        as made,
    coalesce(bool_or(name = %(name)s::text), false) as taken
from memory_checkpoints

-- name: automatic_name
-- The name of an automatic checkpoint: the operation it precedes, the time, and a unique suffix.
select 'before-' || %(operation)s::text || '-' || to_char(frasier_clock() at time zone 'UTC', 'YYYYMMDD-HH24MISS')
    || '-' || %(suffix)s::text as name

-- name: delete_oldest_automatic
-- Deletes the least recently used automatic checkpoints of these scopes beyond the limit; one being restored is recent.
delete from memory_checkpoints where id in (
    select id from memory_checkpoints where scopes = %(scopes)s::text[] and starts_with(name, 'before-')
    order by used_at desc, id desc offset %(keep)s::int)

-- name: store_checkpoint
-- Stores a checkpoint with its snapshot; no row if the name is taken.
insert into memory_checkpoints (id, name, scopes, made_by, counts, snapshot, memory_ids)
values (%(id)s::uuid, %(name)s::text, %(scopes)s::text[], %(made_by)s::text, %(counts)s::jsonb, %(snapshot)s::bytea,
    array(select id from memory_items where scope = any(%(scopes)s::text[])
        and (%(nums)s::bigint[] is null or num = any(%(nums)s::bigint[]))))
on conflict (name) do nothing
returning id, name, scopes, made_by, counts, octet_length(snapshot) as size_bytes, created_at, used_at

-- name: list_checkpoints
-- Checkpoints whose scopes are all among these, newest first.
select id, name, scopes, made_by, counts, octet_length(snapshot) as size_bytes, created_at, used_at
from memory_checkpoints where scopes <@ %(scopes)s::text[] order by created_at desc, id desc limit %(limit)s::int

-- name: checkpoints_with
-- The checkpoints that hold one of the memories, newest first, and whether the caller may delete them: its own, or all
-- of its scopes for the founder. Those made before the ids were stored may hold the memories of their scopes that existed
-- by then.
select name, scopes <@ %(allowed)s::text[] and made_by = coalesce(%(made_by)s::text, made_by) as own
from memory_checkpoints
where scopes && %(scopes)s::text[]
    and case when memory_ids is not null
        then exists (select from unnest(memory_ids) as held (id) join unnest(%(ids)s::uuid[]) as gone (id) using (id))
        else created_at >= %(oldest)s::timestamptz end
order by created_at desc, id desc

-- name: use_checkpoint
-- A checkpoint by its name; records the use.
update memory_checkpoints set used_at = frasier_now() where name = %(name)s::text and scopes <@ %(scopes)s::text[]
returning id, name, scopes, made_by, counts, octet_length(snapshot) as size_bytes, created_at, used_at

-- name: snapshot_piece
-- One piece of a snapshot.
select substring(snapshot from %(at)s::int for %(bytes)s::int) as piece from memory_checkpoints where id = %(id)s::uuid

-- name: delete_checkpoint
-- Deletes a checkpoint, and returns who made it.
delete from memory_checkpoints where name = %(name)s::text and scopes <@ %(scopes)s::text[] returning made_by

-- name: delete_unused_checkpoints
-- Deletes checkpoints that were neither made nor restored for the given days.
delete from memory_checkpoints where used_at < frasier_now() - make_interval(days => %(days)s::int)
