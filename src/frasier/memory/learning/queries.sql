-- name: lock_subjects
-- The memories that are about to be changed, always locked in the same order, so nobody waits in a circle.
select id, kind, scope, tier, memory_type, valid_from, valid_until, archived_at,
    expires_at is not null and expires_at <= frasier_now() as expired
from memory_items where id = any(%(ids)s::uuid[]) order by id for no key update

-- name: same_correction
-- The correction that says the same and stands.
select id from memory_corrections
where original_id = %(original_id)s::uuid and correction_type = %(correction_type)s::text
    and replacement_id is not distinct from %(replacement_id)s::uuid and undone_at is null
order by created_at, id limit 1

-- name: draw_edge
-- The edge of a correction, if it is not there yet.
insert into memory_edges (id, source_id, target_id, relation, evidence, origin, created_by)
values (%(id)s::uuid, %(source_id)s::uuid, %(target_id)s::uuid, %(relation)s::text, %(evidence)s::text,
    'correction', %(created_by)s::text)
on conflict (source_id, target_id, relation) do nothing

-- name: record_correction
-- Keeps what a correction says, and what it took and drew.
insert into memory_corrections (id, original_id, replacement_id, correction_type, reason, corrected_by, pattern,
    edge_id, tier_before, valid_until_set)
values (%(id)s::uuid, %(original_id)s::uuid, %(replacement_id)s::uuid, %(correction_type)s::text,
    %(reason)s::text, %(corrected_by)s::text, %(pattern)s::text, %(edge_id)s::uuid, %(tier_before)s::text,
    %(valid_until_set)s::bool)

-- name: read_correction
-- One correction of a memory in these scopes, and of its replacement what the scopes show.
select c.id, c.original_id, replacement.id as replacement_id, c.correction_type, c.reason, c.corrected_by,
    c.pattern, c.created_at, c.undone_at,
    exists (select from memory_adjustments a where a.correction_id = c.id) as applied
from memory_corrections c
join memory_items original on original.id = c.original_id and original.scope = any(%(scopes)s::text[])
left join memory_items replacement
    on replacement.id = c.replacement_id and replacement.scope = any(%(scopes)s::text[])
where c.id = %(id)s::uuid

-- name: corrections_of
-- The corrections of memories in these scopes, or those that one memory takes part in, the latest first.
select c.id, c.original_id, replacement.id as replacement_id, c.correction_type, c.reason, c.corrected_by,
    c.pattern, c.created_at, c.undone_at,
    exists (select from memory_adjustments a where a.correction_id = c.id) as applied
from memory_corrections c
join memory_items original on original.id = c.original_id and original.scope = any(%(scopes)s::text[])
left join memory_items replacement
    on replacement.id = c.replacement_id and replacement.scope = any(%(scopes)s::text[])
where %(memory_id)s::uuid is null or %(memory_id)s::uuid in (c.original_id, replacement.id)
order by c.created_at desc, c.id desc limit %(limit)s::int

-- name: count_corrections
-- How many corrections memories in these scopes have had, by type.
select c.correction_type, count(*) as total, count(*) filter (where c.undone_at is not null) as undone,
    count(*) filter (where c.created_at > frasier_now() - interval '7 days') as recent
from memory_corrections c
join memory_items original on original.id = c.original_id and original.scope = any(%(scopes)s::text[])
group by c.correction_type

-- name: holds_on
-- The standing corrections, but for one maybe, that keep a memory deprecated or have ended its validity.
select id, tier_before, valid_until_set, created_at from memory_corrections
where original_id = %(original_id)s::uuid and id is distinct from %(but)s::uuid and undone_at is null
    and (tier_before is not null or valid_until_set)
order by created_at, id

-- name: release_tier
-- Somebody gave the memory another tier since: what corrections held before is no longer theirs to give back.
update memory_corrections set tier_before = null
where original_id = %(original_id)s::uuid and undone_at is null and tier_before is not null

-- name: release_validity
-- Somebody changed until when the memory holds: it is no longer theirs to give back.
update memory_corrections set valid_until_set = false
where original_id = %(original_id)s::uuid and undone_at is null and valid_until_set

-- name: set_tier
-- Gives a locked memory another tier.
update memory_items set tier = %(tier)s::text, updated_at = frasier_now() where id = %(id)s::uuid

-- name: end_validity
-- From now on the memory no longer holds; one that would have begun later never does.
update memory_items set valid_until = greatest(frasier_now(), valid_from), updated_at = frasier_now() where id = %(id)s::uuid

-- name: set_validity
-- Says until when a locked fact holds; null is for good.
update memory_items set valid_until = %(valid_until)s::timestamptz, updated_at = frasier_now() where id = %(id)s::uuid

-- name: lock_correction
-- One correction with what it took and drew, held until the transaction ends.
select id, original_id, replacement_id, correction_type, reason, edge_id, tier_before, valid_until_set,
    created_at, undone_at
from memory_corrections where id = %(id)s::uuid for update

-- name: corrections_called
-- Corrections by their id, its beginning or its end, of what the scopes show.
select c.id from memory_corrections c
join memory_items original on original.id = c.original_id and original.scope = any(%(scopes)s::text[])
where %(part)s::text in (left(replace(c.id::text, '-', ''), length(%(part)s::text)),
                         right(replace(c.id::text, '-', ''), length(%(part)s::text)))
order by c.created_at desc, c.id limit %(limit)s::int

-- name: find_pair
-- Which memories a correction is about; neither ever changes.
select c.original_id, c.replacement_id
from memory_corrections c
join memory_items original on original.id = c.original_id and original.scope = any(%(scopes)s::text[])
where c.id = %(id)s::uuid

-- name: find_heir
-- Another standing correction that says the same of the same two memories, and so needs their edge.
select c.id, c.reason, c.corrected_by from memory_corrections c
where c.original_id = %(original_id)s::uuid and c.replacement_id = %(replacement_id)s::uuid
    and c.correction_type = any(%(types)s::text[]) and c.id <> %(id)s::uuid and c.undone_at is null
    and exists (select from memory_adjustments a where a.correction_id = c.id)
order by c.created_at, c.id limit 1

-- name: inherit_edge
-- Hands an edge to another correction, with its words unless somebody else gave it others.
with heir as (
    update memory_corrections set edge_id = %(edge_id)s::uuid where id = %(heir_id)s::uuid
)
update memory_edges set evidence = %(evidence)s::text, created_by = %(created_by)s::text
where id = %(edge_id)s::uuid and origin = 'correction' and evidence = %(evidence_before)s::text

-- name: erase_edge
-- Unless somebody has made the edge their own since.
delete from memory_edges where id = %(id)s::uuid and origin = 'correction'

-- name: mark_undone
-- The correction no longer stands; it stays in the record.
update memory_corrections set undone_at = frasier_now() where id = %(id)s::uuid

-- name: count_validation
-- One more vote on a memory.
update memory_strengths set validations = validations + 1 where memory_id = %(id)s::uuid

-- name: promotable
-- What has proven itself and may bind everybody, the surest first.
select m.id, m.tier, s.confidence, s.validations
from memory_recallable m join memory_strengths s on s.memory_id = m.id
where m.scope = any(%(scopes)s::text[]) and m.tier in ('important', 'normal', 'temporary')
    and s.confidence >= %(confidence)s::float8 and s.validations >= %(validations)s::int
order by s.confidence desc, s.validations desc, m.num limit %(limit)s::int

-- name: promote
-- Makes a locked memory critical: it no longer expires.
update memory_items set tier = 'critical', expires_at = null, updated_at = frasier_now() where id = %(id)s::uuid

-- name: begin_learning
-- A task that is not finished may be read anew; a finished one stays as it is.
insert into memory_task_learnings (scope, task_key, session_id, pre_knowledge, pre_uncertainty, pre_context,
    knowledge_gaps)
values (%(scope)s::text, %(task_key)s::text, %(session_id)s::text, %(knowledge)s::int, %(uncertainty)s::int,
    %(context)s::int, %(gaps)s::text[])
on conflict (scope, task_key) do update
    set session_id = excluded.session_id, pre_knowledge = excluded.pre_knowledge,
        pre_uncertainty = excluded.pre_uncertainty, pre_context = excluded.pre_context,
        knowledge_gaps = excluded.knowledge_gaps, started_at = frasier_now()
    where memory_task_learnings.completed_at is null
returning *

-- name: lock_learning
-- What is recorded of one task, held until the transaction ends.
select * from memory_task_learnings where scope = %(scope)s::text and task_key = %(task_key)s::text for update

-- name: finish_learning
-- Completes the record of a task that is not finished.
update memory_task_learnings
set post_knowledge = %(knowledge)s::int, post_uncertainty = %(uncertainty)s::int,
    post_context = %(context)s::int, learning_index = %(index)s::real,
    gaps_closed = %(gaps_closed)s::text[], new_gaps = %(new_gaps)s::text[], completed_at = frasier_now()
where scope = %(scope)s::text and task_key = %(task_key)s::text and completed_at is null
returning *

-- name: learnings
-- The records of tasks, the latest first.
select * from memory_task_learnings
where scope = any(%(scopes)s::text[]) and (%(session_id)s::text is null or session_id = %(session_id)s::text)
    and (completed_at is not null or not %(only_complete)s::bool)
order by coalesce(completed_at, started_at) desc, scope, task_key limit %(limit)s::int

-- name: average_learning
-- What changed on average over the finished tasks. Uncertainty counts as lost.
select count(*) as started, count(completed_at) as completed,
    avg(post_knowledge - pre_knowledge)::float8 as knowledge,
    avg(pre_uncertainty - post_uncertainty)::float8 as uncertainty,
    avg(post_context - pre_context)::float8 as context
from memory_task_learnings
where scope = any(%(scopes)s::text[]) and (%(session_id)s::text is null or session_id = %(session_id)s::text)

-- name: find_twin
-- The memory in whose favour the schema refuses to have the same text twice.
select twin.id from memory_items m join memory_items twin
    on twin.content_hash = m.content_hash and twin.scope = m.scope and twin.kind = m.kind
        and twin.agent_id is not distinct from m.agent_id
where m.id = %(id)s::uuid and twin.id <> m.id and twin.tier <> 'deprecated' and twin.archived_at is null
    and twin.file_id is null

-- name: is_readable
-- Whether a memory is in one of these scopes.
select id from memory_items where id = %(id)s::uuid and scope = any(%(scopes)s::text[])
