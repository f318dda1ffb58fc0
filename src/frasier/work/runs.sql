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

-- name: runs_of
-- The runs of some tasks, oldest first.
select task_id, attempt, worker, started_at, ended_at, outcome from work_runs
where task_id = any(%(task_ids)s::uuid[]) order by started_at, task_id, attempt
