-- name: lock_targets
-- Locks the memories about to be changed, always in the same order to prevent deadlocks.
select id, kind, scope, tier, memory_type, valid_from, valid_until, archived_at,
    expires_at is not null and expires_at <= frasier_now() as expired
from memory_items where id = any(%(ids)s::uuid[]) order by id for no key update

-- name: find_same_correction
-- An equal correction that is not undone.
select id from memory_corrections
where original_id = %(original_id)s::uuid and correction_type = %(correction_type)s::text
    and replacement_id is not distinct from %(replacement_id)s::uuid and undone_at is null
order by created_at, id limit 1

-- name: draw_edge
-- Draws the edge of a correction unless it exists.
insert into memory_edges (id, source_id, target_id, relation, evidence, origin, created_by)
values (%(id)s::uuid, %(source_id)s::uuid, %(target_id)s::uuid, %(relation)s::text, %(evidence)s::text,
    'correction', %(created_by)s::text)
on conflict (source_id, target_id, relation) do nothing

-- name: record_correction
-- Stores a correction, with the tier and validity it changed and the edge it drew.
insert into memory_corrections (id, original_id, replacement_id, correction_type, reason, corrected_by, pattern,
    edge_id, tier_before, valid_until_set)
values (%(id)s::uuid, %(original_id)s::uuid, %(replacement_id)s::uuid, %(correction_type)s::text,
    %(reason)s::text, %(corrected_by)s::text, %(pattern)s::text, %(edge_id)s::uuid, %(tier_before)s::text,
    %(valid_until_set)s::bool)

-- name: read_correction
-- One correction of a memory in these scopes; the replacement only if it is in them too.
select c.id, c.original_id, replacement.id as replacement_id, c.correction_type, c.reason, c.corrected_by,
    c.pattern, c.created_at, c.undone_at,
    exists (select from memory_adjustments a where a.correction_id = c.id) as applied
from memory_corrections c
join memory_items original on original.id = c.original_id and original.scope = any(%(scopes)s::text[])
left join memory_items replacement
    on replacement.id = c.replacement_id and replacement.scope = any(%(scopes)s::text[])
where c.id = %(id)s::uuid

-- name: corrections_of
-- The corrections of memories in these scopes, or those that involve one memory, latest first.
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
-- The numbers of corrections of memories in these scopes, by type.
select c.correction_type, count(*) as total, count(*) filter (where c.undone_at is not null) as undone,
    count(*) filter (where c.created_at > frasier_now() - interval '7 days') as recent
from memory_corrections c
join memory_items original on original.id = c.original_id and original.scope = any(%(scopes)s::text[])
group by c.correction_type

-- name: find_correction_locks
-- The active corrections, except perhaps one, that keep a memory deprecated or have ended its validity.
select id, tier_before, valid_until_set, created_at from memory_corrections
where original_id = %(original_id)s::uuid and id is distinct from %(except_id)s::uuid and undone_at is null
    and (tier_before is not null or valid_until_set)
order by created_at, id

-- name: release_tier
-- Somebody changed the memory's tier since, so earlier corrections no longer restore it.
update memory_corrections set tier_before = null
where original_id = %(original_id)s::uuid and undone_at is null and tier_before is not null

-- name: release_validity
-- Somebody changed the memory's end of validity since, so earlier corrections no longer restore it.
update memory_corrections set valid_until_set = false
where original_id = %(original_id)s::uuid and undone_at is null and valid_until_set

-- name: set_tier
-- Sets the tier of a locked memory.
update memory_items set tier = %(tier)s::text, updated_at = frasier_now() where id = %(id)s::uuid

-- name: end_validity
-- Ends the validity of a memory now, or at its beginning if that is later.
update memory_items set valid_until = greatest(frasier_now(), valid_from), updated_at = frasier_now() where id = %(id)s::uuid

-- name: set_validity
-- Sets the end of validity of a locked fact; null means no end.
update memory_items set valid_until = %(valid_until)s::timestamptz, updated_at = frasier_now() where id = %(id)s::uuid

-- name: lock_correction
-- Locks one correction, with the tier and validity it changed and the edge it drew.
select id, original_id, replacement_id, correction_type, reason, edge_id, tier_before, valid_until_set,
    created_at, undone_at
from memory_corrections where id = %(id)s::uuid for update

-- name: find_corrections_by_id_part
-- Corrections of memories in the scopes by their id, its beginning or its end.
select c.id from memory_corrections c
join memory_items original on original.id = c.original_id and original.scope = any(%(scopes)s::text[])
where %(part)s::text in (left(replace(c.id::text, '-', ''), length(%(part)s::text)),
                         right(replace(c.id::text, '-', ''), length(%(part)s::text)))
order by c.created_at desc, c.id limit %(limit)s::int

-- name: find_corrected_pair
-- The original and the replacement of a correction, which never change.
select c.original_id, c.replacement_id
from memory_corrections c
join memory_items original on original.id = c.original_id and original.scope = any(%(scopes)s::text[])
where c.id = %(id)s::uuid

-- name: find_correction_needing_edge
-- Another active correction of the same two memories that implies the same edge.
select c.id, c.reason, c.corrected_by from memory_corrections c
where c.original_id = %(original_id)s::uuid and c.replacement_id = %(replacement_id)s::uuid
    and c.correction_type = any(%(types)s::text[]) and c.id <> %(id)s::uuid and c.undone_at is null
    and exists (select from memory_adjustments a where a.correction_id = c.id)
order by c.created_at, c.id limit 1

-- name: transfer_edge
-- Assigns an edge to another correction, with its evidence unless somebody else changed that.
with new_owner as (
    update memory_corrections set edge_id = %(edge_id)s::uuid where id = %(correction_id)s::uuid
)
update memory_edges set evidence = %(evidence)s::text, created_by = %(created_by)s::text
where id = %(edge_id)s::uuid and origin = 'correction' and evidence = %(evidence_before)s::text

-- name: delete_correction_edge
-- Deletes the edge of a correction unless somebody has changed its origin since.
delete from memory_edges where id = %(id)s::uuid and origin = 'correction'

-- name: mark_undone
-- Marks the correction as undone; it stays in the record.
update memory_corrections set undone_at = frasier_now() where id = %(id)s::uuid

-- name: count_validation
-- Counts one more vote on a memory.
update memory_strengths set validations = validations + 1 where memory_id = %(id)s::uuid

-- name: find_promotable
-- Proven memories that may become critical, the most confident first.
select m.id, m.tier, s.confidence, s.validations
from memory_recallable m join memory_strengths s on s.memory_id = m.id
where m.scope = any(%(scopes)s::text[]) and m.tier in ('important', 'normal', 'temporary')
    and s.confidence >= %(confidence)s::float8 and s.validations >= %(validations)s::int
order by s.confidence desc, s.validations desc, m.num limit %(limit)s::int

-- name: promote_memory
-- Makes a locked memory critical, without expiry.
update memory_items set tier = 'critical', expires_at = null, updated_at = frasier_now() where id = %(id)s::uuid

-- name: begin_learning
-- Records the readings before a task; an unfinished one is replaced, a finished one left unchanged.
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
-- Locks the record of one task.
select * from memory_task_learnings where scope = %(scope)s::text and task_key = %(task_key)s::text for update

-- name: finish_learning
-- Completes the record of an unfinished task.
update memory_task_learnings
set post_knowledge = %(knowledge)s::int, post_uncertainty = %(uncertainty)s::int,
    post_context = %(context)s::int, learning_index = %(index)s::real,
    gaps_closed = %(gaps_closed)s::text[], new_gaps = %(new_gaps)s::text[], completed_at = frasier_now()
where scope = %(scope)s::text and task_key = %(task_key)s::text and completed_at is null
returning *

-- name: list_learnings
-- The records of tasks, latest first.
select * from memory_task_learnings
where scope = any(%(scopes)s::text[]) and (%(session_id)s::text is null or session_id = %(session_id)s::text)
    and (completed_at is not null or not %(only_complete)s::bool)
order by coalesce(completed_at, started_at) desc, scope, task_key limit %(limit)s::int

-- name: average_learning
-- The average changes over the finished tasks; a decrease of uncertainty is positive.
select count(*) as started, count(completed_at) as completed,
    avg(post_knowledge - pre_knowledge)::float8 as knowledge,
    avg(pre_uncertainty - post_uncertainty)::float8 as uncertainty,
    avg(post_context - pre_context)::float8 as context
from memory_task_learnings
where scope = any(%(scopes)s::text[]) and (%(session_id)s::text is null or session_id = %(session_id)s::text)

-- name: find_duplicate
-- The memory that already has the same text, which the schema allows only once.
select duplicate.id from memory_items m join memory_items duplicate
    on duplicate.content_hash = m.content_hash and duplicate.scope = m.scope and duplicate.kind = m.kind
        and duplicate.agent_id is not distinct from m.agent_id
where m.id = %(id)s::uuid and duplicate.id <> m.id and duplicate.tier <> 'deprecated' and duplicate.archived_at is null
    and duplicate.file_id is null

-- name: is_readable
-- Whether a memory is in one of these scopes.
select id from memory_items where id = %(id)s::uuid and scope = any(%(scopes)s::text[])
