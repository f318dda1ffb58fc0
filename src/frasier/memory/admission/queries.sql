-- name: find_candidates
-- The memories of one scope that share the new one's rarest words, and those with identical content.
-- Terms are counted up to a bound: beyond it a term is too common to be significant, and expensive to count.
-- A few of such terms are looked up in the newest memories, so that a scope of similar texts is searched too.
with requested as materialized (
    select distinct key from unnest(%(keys)s::bigint[]) as key
), counted as (
    select requested.key, held.containing, row_number() over (order by held.containing, requested.key) as nth
    from requested cross join lateral (
        select count(*) as containing
        from (select from memory_terms where term_key = requested.key limit %(common)s::int) bounded
    ) held
    where held.containing > 0
), telling as materialized (
    select key, containing from counted
    where nth <= %(telling)s::int and (containing < %(common)s::int or nth <= %(telling)s::int / 8)
), sharing as materialized (
    select hit.memory_num, count(*) as shared, sum(1 / telling.containing::float8) as weight
    from telling cross join lateral (
        select memory_num from memory_terms where term_key = telling.key
        order by memory_num desc limit %(common)s::int
    ) hit
    group by hit.memory_num
), alike as (
    select m.num
    from (select * from sharing order by shared desc, weight desc, memory_num limit 50) sharing
    join memory_recallable m on m.num = sharing.memory_num
    where m.scope = %(scope)s::text and m.kind <> all(%(ungated)s::text[])
        and m.length between %(length_min)s::int and %(length_max)s::int
        and (m.valid_until is null or m.valid_until > frasier_now())
        and (%(except_id)s::uuid is null or m.id <> %(except_id)s::uuid)
    order by sharing.shared desc, sharing.weight desc, m.num limit %(limit)s::int
), same as (
    select num from memory_items
    where content_hash = %(content_hash)s::bytea and scope = %(scope)s::text
        and kind not in ('conversation', 'marker', 'passage') and tier <> 'deprecated' and archived_at is null
        and file_id is null and (%(except_id)s::uuid is null or id <> %(except_id)s::uuid)
    order by num limit 20
)
select m.id, m.num, m.scope, m.kind, m.content, m.title, m.tags, m.triggers, m.tier, m.importance, m.agent_id,
    m.task_id, m.provenance ->> 'saved_by' as author, m.file_id is not null as from_file, m.speaker, m.occurred_at,
    m.valid_from, m.valid_until, coalesce(m.valid_until <= frasier_now(), false) as over, m.version
from memory_items m
where m.num in (select num from alike union select num from same)

-- name: lock_unchanged
-- Locks the memory that is about to be changed, if it is unchanged since the comparison.
select id from memory_items
where id = %(id)s::uuid and version = %(version)s::int and tier <> 'deprecated' and archived_at is null
for update

-- name: draw_edges
-- Draws edges from a new memory to related ones that still exist.
insert into memory_edges (id, source_id, target_id, relation, strength, evidence, origin, created_by)
select input.id, %(source_id)s::uuid, there.id, input.relation, input.strength, input.evidence, %(origin)s::text,
    %(created_by)s::text
from unnest(%(ids)s::uuid[], %(targets)s::uuid[], %(relations)s::text[], %(strengths)s::real[], %(evidence)s::text[])
    as input (id, target_id, relation, strength, evidence)
join (
    select id from memory_items where id = any(%(targets)s::uuid[]) and id <> %(source_id)s::uuid
    order by id for key share
) there on there.id = input.target_id
on conflict (source_id, target_id, relation) do nothing

-- name: reinforce
-- Counts a memory that was saved again, and raises its tier or importance, never lowers them. One whose validity had
-- ended holds again.
update memory_items m set
    access_count = m.access_count + 1,
    last_seen_at = frasier_now(),
    valid_until = case
        when m.valid_until <= frasier_now() and (m.valid_from > %(valid_until)s::timestamptz) is not true
        then %(valid_until)s::timestamptz else m.valid_until end,
    importance = greatest(m.importance, %(importance)s::smallint),
    (tier, expires_at) = (
        select rank.tier, case when rank.tier = 'temporary' then frasier_now() + interval '7 days' end
        from unnest('{constitutional,critical,important,normal,temporary}'::text[]) with ordinality
            as rank (tier, nth)
        where rank.tier in (m.tier, %(tier)s::text) order by nth limit 1)
where m.id = %(id)s::uuid

-- name: retire
-- Retires a memory that another contradicts. Its earlier state is kept in its provenance, so that it can be restored.
-- If the other holds only from a later time, this one ends then.
update memory_items m set
    provenance = m.provenance || jsonb_build_object('retired', jsonb_build_object(
        'tier', m.tier, 'valid_until', m.valid_until, 'for', %(successor)s::uuid)),
    tier = case when %(holds_from)s::timestamptz > frasier_now() then m.tier else 'deprecated' end,
    valid_until = case
        when %(holds_from)s::timestamptz > frasier_now() or m.valid_from is not null or m.memory_type = any(%(facts)s::text[])
        then least(m.valid_until, greatest(coalesce(%(holds_from)s::timestamptz, frasier_now()), m.valid_from))
        else m.valid_until end,
    updated_at = frasier_now()
where m.id = %(id)s::uuid

-- name: lock_retired
-- Locks a retired memory, and returns its earlier state.
select scope, provenance -> 'retired' as retired
from memory_items where id = %(id)s::uuid and scope = any(%(scopes)s::text[]) for no key update

-- name: reinstate
-- Restores the state of a memory from before it was retired.
update memory_items set
    tier = provenance #>> '{retired,tier}',
    valid_until = (provenance #>> '{retired,valid_until}')::timestamptz,
    provenance = provenance - 'retired',
    updated_at = frasier_now()
where id = %(id)s::uuid and provenance ? 'retired'

-- name: successor_edge
-- The gate's edge from the successor of a memory.
select id from memory_edges
where source_id = %(source_id)s::uuid and target_id = %(target_id)s::uuid and relation = 'supersedes'
    and origin = 'gate'

-- name: record_admission
-- Records a verdict with the content; returns whether a vector is still to be made.
insert into memory_admissions (id, action, scope, memory_id, existing_id, similarity, contradiction, reason, content)
values (%(id)s::uuid, %(action)s::text, %(scope)s::text, %(memory_id)s::uuid, %(existing_id)s::uuid,
    %(similarity)s::real, %(contradiction)s::text, %(reason)s::text, %(content)s::text)
returning exists (
    select from memory_embedding_jobs j join memory_items m on m.num = j.memory_num
    where m.id = %(memory_id)s::uuid and not j.failed
) as owed

-- name: admissions_of
-- The gate's verdicts that concern a memory, the latest first.
select id, action, memory_id, existing_id, similarity, contradiction, reason, content, created_at
from memory_admissions
where scope = any(%(scopes)s::text[]) and (memory_id = %(memory_id)s::uuid or existing_id = %(memory_id)s::uuid)
order by created_at desc, id desc limit %(limit)s::int

-- name: owes_vector
-- Whether a vector of the memory is still to be made.
select exists (
    select from memory_embedding_jobs j join memory_items m on m.num = j.memory_num
    where m.id = %(id)s::uuid and not j.failed
) as owed

-- name: held_item
-- The fields of a memory that a new version of it keeps.
select kind, scope, title, content, tags, triggers, tier, importance, agent_id, provenance, memory_type, type_source,
    thread, speaker, occurred_at, valid_from, valid_until
from memory_items where id = %(id)s::uuid and scope = any(%(scopes)s::text[])

-- name: versions_of
-- The earlier versions of a memory, the latest first.
select version, title, content, tags, triggers, reason, replaced_at
from memory_versions where memory_id = %(memory_id)s::uuid order by version desc limit %(limit)s::int

-- name: read_version
-- One version of a memory.
select title, content, tags, triggers from memory_versions
where memory_id = %(memory_id)s::uuid and version = %(version)s::int

-- name: match_phrases
-- The memories with a trigger among the phrases, those with most matches first. Vectors are not used.
select m.id, m.num, array_agg(t.phrase order by t.phrase) as phrases
from unnest(string_to_array(%(phrases)s::text, E'\n')) as input (phrase)
join memory_triggers t on t.phrase = input.phrase and t.scope = any(%(scopes)s::text[])
join memory_recallable m on m.id = t.memory_id and m.scope = t.scope
where (m.valid_from is null or m.valid_from <= frasier_now()) and (m.valid_until is null or m.valid_until > frasier_now())
group by m.id, m.num, m.importance
order by count(*) desc, m.importance desc, m.num limit %(limit)s::int

-- name: same_content
-- The memories with identical content in any of the scopes. Those of files are found by similarity.
select id, scope, kind, agent_id
from memory_items
where content_hash = %(content_hash)s::bytea and scope = any(%(scopes)s::text[])
    and kind not in ('conversation', 'marker', 'passage') and tier <> 'deprecated' and archived_at is null
    and file_id is null and (%(except_id)s::uuid is null or id <> %(except_id)s::uuid)
order by num limit 20
