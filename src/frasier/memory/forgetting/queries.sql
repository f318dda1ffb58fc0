-- name: usage_stats
-- The usage statistics of memories; stability only if an adjustment of it is in effect.
select m.num, m.kind, m.tier, m.memory_type, m.importance, coalesce(s.use_count, 0) as use_count,
    extract(epoch from frasier_now() - greatest(m.last_seen_at, s.reviewed_at))::float8 / 86400 as age_days,
    extract(epoch from frasier_now() - greatest(m.last_seen_at, s.reviewed_at, s.accessed_at, s.cited_at))::float8 / 86400
        as idle_days,
    extract(epoch from frasier_now() - s.cited_at)::float8 / 86400 as cited_days,
    case when s.memory_id is not null and exists (
        select from memory_adjustments a
        where a.memory_id = m.id and a.quantity = 'stability' and a.undone_at is null
    ) then s.stability end as stability
from memory_items m left join memory_strengths s on s.memory_id = m.id
where m.num = any(%(nums)s::bigint[])

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

-- name: visible
-- Those of some memories that are in the scopes.
select id from memory_items where id = any(%(memory_ids)s::uuid[]) and scope = any(%(scopes)s::text[])

-- name: review_scope
-- The scope of a memory.
select scope from memory_items where id = %(memory_id)s::uuid

-- name: session_scope
-- The scope of a session.
select scope from memory_sessions where id = %(session_id)s::text

-- name: review_basis
-- The age of a memory, and whether it was reviewed within a day, or since the session began.
select extract(epoch from frasier_now() - greatest(m.last_seen_at, s.reviewed_at))::float8 / 86400 as age_days,
    coalesce(s.reviewed_at > frasier_now() - interval '1 day', false) as today,
    coalesce(s.reviewed_at >= session.created_at, false) as this_session
from memory_items m
join memory_strengths s on s.memory_id = m.id
left join memory_sessions session on session.id = %(session_id)s::text
where m.id = %(memory_id)s::uuid

-- name: lock_consolidation
-- Serialises consolidations: two at once would integrate the same facts twice.
select pg_advisory_xact_lock(hashtext('frasier consolidation'))

-- name: episodes
-- The newest episodes of a scope that are old enough to be consolidated, and have no end of validity.
select id, kind, tier, title, content, tags, importance, agent_id, file_id is not null as filed
from memory_recallable
where scope = %(scope)s::text and memory_type = 'episodic' and kind = any(%(kinds)s::text[])
    and tier in ('important', 'normal', 'temporary') and valid_until is null and speaker is null
    and created_at <= frasier_now() - %(older_than_days)s::float8 * interval '1 day'
order by num desc limit %(limit)s::int

-- name: consolidated
-- The facts of earlier consolidations in a scope, newest first; whether they still hold; and the memories that they
-- were derived from, or that were derived from them, directly or not: no further edge to those is possible.
with recursive made as (
    select m.id, m.num, m.content
    from memory_items m
    where m.scope = %(scope)s::text and exists (
        select from memory_edges e
        where e.source_id = m.id and e.origin = 'auto' and e.extractor = %(extractor)s::text
            and e.relation = 'derived_from')
    order by m.num desc limit %(limit)s::int
), upward (made_id, id) as (
    select id, id from made
    union
    select upward.made_id, e.source_id
    from upward join memory_edges e on e.target_id = upward.id and e.relation in ('supersedes', 'derived_from')
)
select made.id, made.content,
    array(select e.target_id from memory_edges e where e.source_id = made.id and e.relation = 'derived_from')
        || array(select upward.id from upward where upward.made_id = made.id) as linked,
    exists (
        select from memory_recallable m
        where m.id = made.id and (m.valid_until is null or m.valid_until > frasier_now())) as active
from made order by made.num desc

-- name: settle
-- Makes a memory a fact, which does not fade. Binding memories are unchanged.
update memory_items set memory_type = 'semantic', type_source = 'explicit', type_confidence = 1,
    tier = case when tier in ('normal', 'temporary') then %(tier)s::text else tier end,
    expires_at = null, updated_at = frasier_now(),
    provenance = provenance || %(provenance)s::jsonb
where id = %(memory_id)s::uuid and memory_type <> 'semantic'
    and tier not in ('constitutional', 'critical', 'deprecated')

-- name: often_used
-- Memories with at least five more uses than they were strengthened for.
select s.memory_id from memory_strengths s join memory_recallable m on m.id = s.memory_id
where m.scope = any(%(scopes)s::text[]) and s.memory_id <> all(%(pruned)s::uuid[])
    and s.use_count >= %(often)s::int * (1 + (
        select count(*) from memory_adjustments a
        where a.memory_id = s.memory_id and a.cause = 'consolidation' and a.undone_at is null))
order by s.memory_id limit %(limit)s::int
