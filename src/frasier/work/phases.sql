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

-- name: current_moment
-- The time of the database, which all processes share.
select frasier_now() as moment
