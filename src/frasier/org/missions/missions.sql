-- name: insert_mission
-- Stores a mission, to be planned.
insert into org_missions (id, title, directive, status, destination, rehearsal, web_search, source_count,
                          skipped_sources, kind, depth, with_earlier, asks_plan, may_ask)
values (%(id)s::uuid, %(title)s::text, %(directive)s::text, 'planning', %(destination)s::text,
        %(rehearsal)s::boolean, %(web_search)s::boolean, %(source_count)s::int, %(skipped_sources)s::text[],
        %(kind)s::text, %(depth)s::text, %(with_earlier)s::boolean, %(asks_plan)s::boolean, %(may_ask)s::boolean)
returning *

-- name: get_mission
-- One mission.
select * from org_missions where id = %(id)s::uuid

-- name: lock_mission
-- One mission, held until the transaction ends: taken last, so that two ending steps see each other. Not `for update`:
-- a transaction that stored a deliverable holds the mission's key, and two of them would deadlock.
select * from org_missions where id = %(id)s::uuid for no key update

-- name: missions_like
-- Missions by the beginning or end of their id, or the newest.
select * from org_missions
where case when %(newest)s::boolean then id = (select id from org_missions order by created_at desc, id desc limit 1)
      else %(part)s::text in (left(replace(id::text, '-', ''), length(%(part)s::text)),
                              right(replace(id::text, '-', ''), length(%(part)s::text)))
      end
order by created_at desc, id desc limit %(limit)s::int

-- name: list_missions
-- The newest missions, of those older than `before` if it is named. `is_open`: those that have not ended, with those that
-- failed and whose question waits for the founder; or the others.
select * from org_missions
where (%(statuses)s::text[] is null or status = any(%(statuses)s::text[]))
  and (%(is_open)s::boolean is null
       or %(is_open)s::boolean = (status not in ('delivered', 'failed', 'cancelled')
           or status = 'failed' and exists (
               select from org_questions q
               where q.mission_id = org_missions.id and q.answered_at is null and q.withdrawn_at is null)))
  and (%(before)s::uuid is null
       or (created_at, id) < (select m.created_at, m.id from org_missions m where m.id = %(before)s::uuid))
order by created_at desc, id desc limit %(limit)s::int

-- name: open_missions_of_means
-- The missions that have not ended and are carried out by the rehearsal, or by models.
select id from org_missions where status in ('planning', 'in_progress') and rehearsal = %(rehearsal)s::boolean

-- name: count_missions
-- The number of missions by status.
select status, count(*) as missions from org_missions group by status

-- name: count_failed_in_question
-- The number of missions that failed and whose question waits for the founder.
select count(*) as missions from org_missions m
where m.status = 'failed' and exists (
    select from org_questions q where q.mission_id = m.id and q.answered_at is null and q.withdrawn_at is null)

-- name: titles_of
-- The titles of some missions.
select id, title from org_missions where id = any(%(ids)s::uuid[])

-- name: set_status
-- Moves a mission from an expected status.
update org_missions set status = %(status)s::text, updated_at = frasier_now(),
    status_before_pause = case when %(status)s::text = 'paused' then status end,
    failure = %(failure)s::text
where id = %(id)s::uuid and status = %(expected)s::text
returning *

-- name: complete_mission
-- The mission is complete: its approved final deliverable is named in the same statement.
update org_missions set status = 'completed', final_deliverable = %(deliverable)s::uuid, completed_at = frasier_now(),
    updated_at = frasier_now()
where id = %(id)s::uuid and status in ('in_progress', 'paused')
returning *

-- name: deliver_mission
-- Marks a mission as delivered: its folder exists.
update org_missions set status = 'delivered', delivered_path = %(path)s::text, delivered_at = frasier_now(),
    updated_at = frasier_now()
where id = %(id)s::uuid and status = 'completed'
returning *
