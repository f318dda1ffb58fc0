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
