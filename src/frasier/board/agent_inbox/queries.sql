-- name: write_working_memory
-- Replaces where an agent stands.
insert into workflow_working_memory (name, state) values (%(name)s::text, %(state)s::jsonb)
on conflict (name) do update set state = excluded.state, updated_at = frasier_now()
returning state, updated_at

-- name: read_working_memory
-- Where an agent stands.
select state, updated_at from workflow_working_memory where name = %(name)s::text

-- name: forget_working_memory
-- Empties where an agent stands.
delete from workflow_working_memory where name = %(name)s::text

-- name: board_tasks
-- The tasks of boards, open ones first as they wait, then what is over, newest first; with their pauses. Of one id, of
-- one who holds or held them, of what may concern one who has these roles, decides, or has judged what was changed: each where it is named. With
-- each what was asked of the founder about its moves as it is now, and not made yet: the one question of each move that
-- a move without fields would mean.
select t.*, p.name as project, b.reasons, b.blocked_at, b.status as was, b.role as was_role,
    b.lease_owner as was_held_by, d.asked,
    extract(epoch from t.lease_until - frasier_now())::float8 as lease_s,
    extract(epoch from frasier_now() - t.since)::float8 as waits_s
from workflow_tasks t join workflow_projects p on p.id = t.group_id
left join workflow_blocks b on b.task_id = t.id
left join lateral (
    select jsonb_agg(jsonb_build_object('decision', m.id, 'move', m.transition, 'asked_by', m.asked_by,
        'asked_at', m.asked_at, 'answer', m.answer, 'comment', m.comment, 'answered_at', m.answered_at)) as asked
    from (select distinct on (transition) * from workflow_decisions
          where task_id = t.id and version = t.version and used_at is null
          order by transition, answer is not distinct from 'approved' desc, answer is null desc, num desc) m
) d on true
where (cardinality(%(projects)s::text[]) = 0 or p.name = any(%(projects)s::text[]))
  and (%(over_days)s::float8 is null and t.ended_at is null
       or %(over_days)s::float8 is not null
          and (t.ended_at is null or t.ended_at > frasier_now() - make_interval(secs => %(over_days)s::float8 * 86400)))
  and (%(id)s::uuid is null or t.id = %(id)s::uuid)
  and (%(per_status)s::int is null or t.id in (
      select id from (
          select o.id, row_number() over (partition by o.group_id, o.process, o.status order by o.priority desc,
              case when o.ended_at is null then o.since end, o.ended_at desc, o.num) as nth
          from workflow_tasks o join workflow_projects q on q.id = o.group_id
          where (cardinality(%(projects)s::text[]) = 0 or q.name = any(%(projects)s::text[]))
            and (o.ended_at is null or o.ended_at > frasier_now() - make_interval(secs => %(over_days)s::float8 * 86400))
      ) first where nth <= %(per_status)s::int))
  and (%(holder)s::text is null or t.lease_owner = %(holder)s::text or t.last_holder = %(holder)s::text)
  and (%(name)s::text is null or t.lease_owner = %(name)s::text or b.lease_owner = %(name)s::text
       or t.role = any(%(roles)s::text[])
       or jsonb_path_exists(t.judgements, '$.* ? (@.digest == "")')
       or %(decides)s::boolean and d.asked is not null
       or %(watches)s::boolean and (t.status = 'blocked' or t.lease_owner is not null
                                    or t.since < frasier_now() - make_interval(secs => %(stands_s)s::float8)))
order by t.ended_at is not null, t.priority desc, case when t.ended_at is null then t.since end,
    t.ended_at desc, t.num
limit %(limit)s::int

-- name: count_cards
-- How many tasks of boards stand where: open ones, and what was over within some days.
select t.process, t.status, count(*) as tasks from workflow_tasks t join workflow_projects p on p.id = t.group_id
where p.name = any(%(projects)s::text[])
  and (t.ended_at is null or t.ended_at > frasier_now() - make_interval(secs => %(over_days)s::float8 * 86400))
group by t.process, t.status

-- name: count_over
-- How many tasks of boards are over; of a status, a role and a process where these are named.
select count(*) as tasks from workflow_tasks t join workflow_projects p on p.id = t.group_id
where p.name = any(%(projects)s::text[]) and t.ended_at is not null
  and (%(status)s::text is null or t.status = %(status)s::text)
  and (%(role)s::text is null or t.role = %(role)s::text)
  and (%(process)s::text is null or t.process = %(process)s::text)

-- name: count_tasks
-- How many tasks there are.
select count(*) as tasks from workflow_tasks

-- name: draw_tasks
-- Some tasks, by chance.
select id from workflow_tasks order by random() limit %(number)s::int

-- name: tasks_to_replay
-- The next tasks in the order of their making; of those that were drawn, where some were.
select * from workflow_tasks t
where t.num > %(after)s::bigint and (%(ids)s::uuid[] is null or t.id = any(%(ids)s::uuid[]))
order by t.num limit %(limit)s::int

-- name: count_awaited
-- How many tasks that are not completed each of some tasks waits for.
select d.task_id as id, count(*) as tasks from workflow_dependencies d join workflow_tasks n on n.id = d.depends_on
where d.task_id = any(%(ids)s::uuid[]) and d.kind = 'blocks' and n.outcome is distinct from 'completed'
group by d.task_id

-- name: tasks_there
-- Which of some tasks there are.
select id from workflow_tasks where id = any(%(ids)s::uuid[])
