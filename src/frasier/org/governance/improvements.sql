-- name: insert_improvement
-- An improvement that waits for the founder, or that the rules refused.
insert into org_improvements
    (id, task_id, number, kind, target, title, change, rules, why, figures, state, reason, decided_by, decided_at)
values (%(id)s::uuid, %(task_id)s::uuid, %(number)s::int, %(kind)s::text, %(target)s::text, %(title)s::text,
        %(change)s::text, %(rules)s::jsonb, %(why)s::text, %(figures)s::jsonb,
        case when %(refusal)s::text = '' then 'proposed' else 'refused' end, %(refusal)s::text,
        case when %(refusal)s::text = '' then '' else %(actor)s::text end,
        case when %(refusal)s::text = '' then null else frasier_now() end)
returning *

-- name: decide_improvement
-- The founder's decision about an improvement that waits for it.
update org_improvements
set state = %(state)s::text, reason = %(reason)s::text, effect = %(effect)s::text, decided_by = %(actor)s::text,
    decided_at = frasier_now()
where id = %(id)s::uuid and state = 'proposed'
returning *

-- name: insert_measurement
-- That the figures of a mission were measured for an improvement; nothing where they were before.
insert into org_improvement_measurements (improvement_id, mission_id)
values (%(improvement_id)s::uuid, %(mission_id)s::uuid)
on conflict do nothing

-- name: get_improvement
-- One improvement.
select * from org_improvements where id = %(id)s::uuid

-- name: lock_improvement
-- One improvement, locked until the transaction ends.
select * from org_improvements where id = %(id)s::uuid for update

-- name: improvements_like
-- The improvements with a part of an id, or the newest one.
select id, title from org_improvements
where case when %(newest)s::boolean
      then id = (select id from org_improvements order by created_at desc, number desc limit 1)
      else %(part)s::text in (left(replace(id::text, '-', ''), length(%(part)s::text)),
                              right(replace(id::text, '-', ''), length(%(part)s::text)))
      end
order by created_at desc, number desc limit %(limit)s::int

-- name: list_improvements
-- The newest improvements, those in one state or all.
select * from org_improvements where %(state)s::text is null or state = %(state)s::text
order by created_at desc, number desc limit %(limit)s::int

-- name: improvements_of_task
-- What a task proposed.
select * from org_improvements where task_id = %(task_id)s::uuid order by number

-- name: insert_reading
-- A reading of post-mortems.
insert into org_improvement_readings (task_id, cap_usd_micros, asked_by)
values (%(task_id)s::uuid, %(cap_usd_micros)s::bigint, %(asked_by)s::text)

-- name: get_reading
-- The reading of a task.
select task_id, cap_usd_micros, asked_by, created_at from org_improvement_readings where task_id = %(task_id)s::uuid

-- name: lock_readings
-- Lets one transaction begin a reading while the others wait, until it ends.
select pg_advisory_xact_lock(hashtext('frasier improvement readings'))

-- name: last_reading
-- The newest reading.
select task_id, cap_usd_micros, asked_by, created_at from org_improvement_readings
order by created_at desc, task_id desc limit 1
