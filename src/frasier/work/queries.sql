-- name: begin_runs
-- Records the runs of tasks that a worker has just claimed.
insert into work_runs (task_id, attempt, worker)
select claimed.task_id, claimed.attempt, %(worker)s::text
from unnest(%(task_ids)s::uuid[], %(attempts)s::int[]) as claimed (task_id, attempt)

-- name: end_run
-- Records the end of a run, by its worker.
update work_runs set ended_at = frasier_now(), outcome = %(outcome)s::text
where task_id = %(task_id)s::uuid and attempt = %(attempt)s::int and ended_at is null

-- name: end_lost_runs
-- Ends the open runs of attempts that are over.
update work_runs r set ended_at = frasier_now(), outcome = 'lost'
from unnest(%(task_ids)s::uuid[], %(before_attempts)s::int[]) as over (task_id, before_attempt)
where r.task_id = over.task_id and r.attempt < over.before_attempt and r.ended_at is null

-- name: workers_of_open_runs
-- The workers with open runs.
select distinct worker from work_runs where ended_at is null

-- name: end_runs_of
-- Ends the open runs of dead workers.
update work_runs set ended_at = frasier_now(), outcome = 'lost'
where worker = any(%(workers)s::text[]) and ended_at is null

-- name: begin_phase
-- Records the start of a phase.
insert into work_phases (task_id, attempt, phase, fingerprint, worker)
values (%(task_id)s::uuid, %(attempt)s::int, %(phase)s::text, %(fingerprint)s::text, %(worker)s::text)
on conflict do nothing

-- name: get_checkpoint
-- The stored result of a phase for these inputs.
select output from work_checkpoints
where task_id = %(task_id)s::uuid and phase = %(phase)s::text and fingerprint = %(fingerprint)s::text

-- name: save_checkpoint
-- Stores the result of a phase, and that it has ended; the caller holds the fence.
with ended as (
    update work_phases set ended_at = frasier_clock()
    where task_id = %(task_id)s::uuid and attempt = %(attempt)s::int and phase = %(phase)s::text
        and fingerprint = %(fingerprint)s::text
)
insert into work_checkpoints (task_id, phase, fingerprint, attempt, output)
values (%(task_id)s::uuid, %(phase)s::text, %(fingerprint)s::text, %(attempt)s::int, %(output)s::jsonb)
on conflict do nothing

-- name: phases_of
-- The finished phases of some tasks, in order.
select task_id, phase, attempt, created_at from work_checkpoints
where task_id = any(%(task_ids)s::uuid[]) order by created_at

-- name: rules_left_out
-- The standing rules omitted from the prompts of some tasks, by the contexts of their runs.
select distinct c.task_id, (rule ->> 'directive')::uuid as directive, rule ->> 'text' as text
from work_checkpoints c cross join lateral jsonb_array_elements(c.output -> 'rules_left_out') rule
where c.task_id = any(%(task_ids)s::uuid[]) and c.phase = 'context' order by directive, c.task_id

-- name: lock_sources
-- Serialises the numbering of the sources of a mission.
select pg_advisory_xact_lock(hashtextextended('sources:' || %(mission_id)s::uuid::text, 0))

-- name: insert_source
-- The number of a source in a mission: the existing one, else the next.
insert into work_sources (mission_id, number, kind, uri, title, sha256, chars, opening, notes)
select %(mission_id)s::uuid, coalesce(max(number), 0) + 1, %(kind)s::text, %(uri)s::text, %(title)s::text,
       %(sha256)s::text, %(chars)s::int, %(opening)s::text, %(notes)s::text[]
from work_sources where mission_id = %(mission_id)s::uuid
on conflict (mission_id, uri) do nothing
returning number

-- name: sources_of
-- The sources of a mission.
select * from work_sources where mission_id = %(mission_id)s::uuid order by number
