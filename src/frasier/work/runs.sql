-- name: begin_runs
-- Records the runs of tasks that a worker has just claimed.
insert into work_runs (task_id, attempt, worker)
select claimed.task_id, claimed.attempt, %(worker)s::text
from unnest(%(task_ids)s::uuid[], %(attempts)s::int[]) as claimed (task_id, attempt)

-- name: end_run
-- Records the end of a run, by its worker.
update work_runs set ended_at = frasier_now(), outcome = %(outcome)s::text,
    not_before = frasier_now() + make_interval(secs => %(left_alone_s)s::float8)
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

-- name: outage_of
-- The runs of a task that met an outage since one that did not, after a moment, and the seconds that they cover. A gap
-- longer than the waits make it counts for no more than these: nobody worked on the task.
with met as (
    select coalesce(lead(r.ended_at) over (order by r.attempt), frasier_now()) - r.ended_at as gap,
        coalesce(r.not_before - r.ended_at, interval '0') as asked_for
    from work_runs r where r.task_id = %(task_id)s::uuid and r.outcome = 'outage'
      and (%(since)s::timestamptz is null or r.ended_at > %(since)s::timestamptz)
      and not exists (select from work_runs later where later.task_id = r.task_id and later.attempt > r.attempt
          and later.outcome not in ('outage', 'lost', 'paused'))
)
select count(*) as runs, coalesce(sum(extract(epoch from
    least(gap, asked_for + make_interval(secs => %(gap_max_s)s::float8)))), 0)::float8 as seconds
from met

-- name: today
-- The day of the database's clock, in UTC.
select (frasier_now() at time zone 'UTC')::date as day

-- name: waiting_for_service
-- Those of some tasks whose last run met an outage some time ago, longest ago first, except while a service has asked
-- to be left alone; and whether a run after one that met an outage began since.
select r.task_id, r.ended_at, exists (
    select from work_runs tried where tried.started_at > frasier_now() - make_interval(secs => %(probe_s)s::float8)
      and 'outage' = (select before.outcome from work_runs before
          where before.task_id = tried.task_id and before.attempt < tried.attempt
          order by before.attempt desc limit 1)) as tried
from unnest(%(task_ids)s::uuid[]) as delayed (task_id)
cross join lateral (select * from work_runs l where l.task_id = delayed.task_id order by l.attempt desc limit 1) r
where r.outcome = 'outage' and r.ended_at <= frasier_now() - make_interval(secs => %(probe_s)s::float8)
  and coalesce(r.not_before <= frasier_now(), true)
order by r.ended_at, r.task_id
