-- name: begin_phase
-- Records the start of a phase.
insert into work_phases (task_id, attempt, phase, fingerprint, worker)
values (%(task_id)s::uuid, %(attempt)s::int, %(phase)s::text, %(fingerprint)s::text, %(worker)s::text)
on conflict do nothing

-- name: get_checkpoint
-- The stored result of a phase for these inputs.
select output from work_checkpoints
where task_id = %(task_id)s::uuid and phase = %(phase)s::text and fingerprint = %(fingerprint)s::text

-- name: checkpoints_until_text
-- The results of a task's phases up to its first text, oldest first.
select phase, output from work_checkpoints
where task_id = %(task_id)s::uuid and created_at <= (
    select min(t.created_at) from work_checkpoints t where t.task_id = %(task_id)s::uuid and t.phase = 'synthesize')
order by created_at, phase

-- name: save_checkpoint
-- Stores the result of a phase, that it has ended, and a line about it; the caller holds the fence.
with told as (
    insert into work_activity (task_id, attempt, phase, text)
    select %(task_id)s::uuid, %(attempt)s::int, %(phase)s::text, %(told)s::text where %(told)s::text <> ''
), ended as (
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

-- name: current_moment
-- The time of the database, which all processes share.
select frasier_now() as moment

-- name: add_activity
-- Stores a line about what a run is doing.
insert into work_activity (task_id, attempt, phase, text)
values (%(task_id)s::uuid, %(attempt)s::int, %(phase)s::text, %(text)s::text)

-- name: activity_of
-- The activity of some tasks behind a line.
select id, task_id, phase, text, at from work_activity
where task_id = any(%(task_ids)s::uuid[]) and id > %(after)s::bigint order by id

-- name: newest_lines
-- The newest lines of the activity of some tasks.
select id, task_id, phase, text, at from work_activity
where task_id = any(%(task_ids)s::uuid[]) order by id desc limit %(limit)s::int

-- name: latest_activity
-- The newest line of each task.
select distinct on (task_id) id, task_id, phase, text, at from work_activity
where task_id = any(%(task_ids)s::uuid[]) order by task_id, id desc

-- name: began_at
-- When the first run of each task began.
select task_id, min(started_at) as began_at from work_runs where task_id = any(%(task_ids)s::uuid[]) group by task_id

-- name: open_phases
-- The newest phase without an end of an attempt of each task.
select distinct on (p.task_id) p.task_id, p.phase
from unnest(%(task_ids)s::uuid[], %(attempts)s::int[]) as current (task_id, attempt)
join work_phases p on p.task_id = current.task_id and p.attempt = current.attempt and p.ended_at is null
order by p.task_id, p.started_at desc

-- name: timed_phases_of
-- The phases of some tasks with their times, oldest first.
select task_id, attempt, phase, fingerprint, started_at, ended_at from work_phases
where task_id = any(%(task_ids)s::uuid[]) order by started_at, phase, fingerprint
