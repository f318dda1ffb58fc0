-- name: fading
-- Memories that fade and were last learned long ago, oldest first.
select id, num from memory_items
where archived_at is null and num > %(after)s::bigint
    and last_seen_at <= frasier_now() - %(idle_days)s::float8 * interval '1 day'
    and memory_type = any(%(types)s::text[]) and tier = any(%(tiers)s::text[])
    and kind <> all(%(lasting_kinds)s::text[])
order by num limit %(limit)s::int

-- name: archive
-- Archives memories, locked in one order, skipping those locked by others.
update memory_items m set archived_at = frasier_now()
from (
    select num from memory_items
    where id = any(%(memory_ids)s::uuid[]) and archived_at is null and kind <> 'directive'
    order by num for no key update skip locked
) held
where m.num = held.num
returning m.id, m.num, m.scope

-- name: expire
-- Archives expired memories.
update memory_items m set archived_at = frasier_now()
from (
    select num from memory_items
    where expires_at <= frasier_now() and archived_at is null
    order by expires_at, num limit %(limit)s::int for no key update skip locked
) held
where m.num = held.num
returning m.id, m.num, m.scope

-- name: lock_archived
-- Locks a memory that is about to be restored.
select scope, tier, archived_at from memory_items where id = %(memory_id)s::uuid for no key update

-- name: restore
-- Restores an archived memory, as if it had just been saved.
update memory_items set archived_at = null, last_seen_at = frasier_now(),
    expires_at = case when expires_at > frasier_now() then expires_at
                      when tier = 'temporary' then frasier_now() + interval '7 days' end
where id = %(memory_id)s::uuid
