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

-- name: record_admission
-- Records a verdict with the content; returns whether a vector is still to be made.
insert into memory_admissions (id, action, scope, memory_id, existing_id, similarity, contradiction, reason, content)
values (%(id)s::uuid, %(action)s::text, %(scope)s::text, %(memory_id)s::uuid, %(existing_id)s::uuid,
    %(similarity)s::real, %(contradiction)s::text, %(reason)s::text, %(content)s::text)
returning exists (
    select from memory_embedding_jobs j join memory_items m on m.num = j.memory_num
    where m.id = %(memory_id)s::uuid and not j.failed
) as owed

-- name: owes_vector
-- Whether a vector of the memory is still to be made.
select exists (
    select from memory_embedding_jobs j join memory_items m on m.num = j.memory_num
    where m.id = %(id)s::uuid and not j.failed
) as owed
