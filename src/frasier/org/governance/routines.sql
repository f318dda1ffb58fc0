-- name: lock_routine_budget
-- Lets one transaction take from the budget of routines while the others wait, until it ends.
select pg_advisory_xact_lock(hashtext('frasier routines'))

-- name: insert_routine
-- A routine that has not begun; none where it is held or was held before.
insert into org_routines (task_id, kind, subject, mission_id, deliverable_id, team)
values (%(task_id)s::uuid, %(kind)s::text, %(subject)s::text, %(mission_id)s::uuid, %(deliverable_id)s::uuid, %(team)s::text)
on conflict do nothing
returning *

-- name: get_routine
-- One routine.
select * from org_routines where task_id = %(task_id)s::uuid

-- name: routines_like
-- The routines with a part of an id, or the newest one.
select * from org_routines
where case when %(newest)s::boolean
      then task_id = (select task_id from org_routines order by created_at desc, task_id desc limit 1)
      else %(part)s::text in (left(replace(task_id::text, '-', ''), length(%(part)s::text)),
                              right(replace(task_id::text, '-', ''), length(%(part)s::text)))
      end
order by created_at desc, task_id desc limit %(limit)s::int

-- name: list_routines
-- The newest routines, of one mission or of all.
select * from org_routines where %(mission_id)s::uuid is null or mission_id = %(mission_id)s::uuid
order by created_at desc, task_id desc limit %(limit)s::int

-- name: todays_stand_up
-- The stand-up of a team on this day, unless it came to nothing.
select * from org_routines
where kind = 'stand_up' and team = %(team)s::text and day = (frasier_now() at time zone 'UTC')::date
  and outcome is distinct from 'none'

-- name: last_stand_up
-- The last stand-up of a team that came to something.
select * from org_routines where kind = 'stand_up' and team = %(team)s::text and outcome is distinct from 'none'
  and (%(before)s::timestamptz is null or created_at < %(before)s::timestamptz)
order by created_at desc limit 1

-- name: begin_routine
-- Begins a routine once, with what it may spend and when it must have ended.
update org_routines set began_at = frasier_now(), cap_usd_micros = %(cap_usd_micros)s::bigint,
    ends_by = frasier_now() + make_interval(secs => %(seconds)s::float8)
where task_id = %(task_id)s::uuid and began_at is null

-- name: seconds_left
-- The seconds until a routine must have ended.
select extract(epoch from ends_by - frasier_now())::float8 as seconds from org_routines where task_id = %(task_id)s::uuid

-- name: end_routine
-- Ends a routine once, with its outcome.
update org_routines set ended_at = frasier_now(), outcome = %(outcome)s::text, result = %(result)s::text,
    effect = %(effect)s::text
where task_id = %(task_id)s::uuid and ended_at is null

-- name: begun_routines
-- What each routine of the last days, and each of a mission, holds from the budget.
select task_id, mission_id, cap_usd_micros, ended_at is not null as ended,
    began_at > frasier_now() - make_interval(days => %(days)s::int) as is_recent
from org_routines
where began_at is not null and (began_at > frasier_now() - make_interval(days => %(days)s::int) or ended_at is null
    or mission_id = %(mission_id)s::uuid)

-- name: insert_turn
-- What somebody said, once.
insert into org_routine_turns (task_id, number, agent_id, said)
values (%(task_id)s::uuid, %(number)s::int, %(agent_id)s::uuid, %(said)s::text)
on conflict do nothing

-- name: turns_of
-- The transcript of a routine.
select number, agent_id, said, at from org_routine_turns where task_id = %(task_id)s::uuid order by number

-- name: debate_decisions
-- What debates decided about some versions.
select deliverable_id, result from org_routines
where deliverable_id = any(%(deliverable_ids)s::uuid[]) and kind = 'debate' and outcome = 'decision'
