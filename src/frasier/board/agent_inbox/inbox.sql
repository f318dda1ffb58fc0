-- name: write_working_memory
-- Replace the note of an agent.
insert into board_working_memory (name, state) values (%(name)s::text, %(state)s::jsonb)
on conflict (name) do update set state = excluded.state, updated_at = frasier_now()
returning state, updated_at

-- name: read_working_memory
-- The note of an agent.
select state, updated_at from board_working_memory where name = %(name)s::text

-- name: forget_working_memory
-- Delete the note of an agent.
delete from board_working_memory where name = %(name)s::text

-- name: board_tasks
-- The tasks of boards with their pauses: open ones by urgency, then ended ones, newest first. Optional filters: ids;
-- who holds or held them; what may concern an actor, who has these roles, decides, or judged what was changed. Each with
-- the decisions on its moves as it is now that were not made yet: for each move the one that a move without fields means.
select t.*, g.name as board, b.reasons, b.blocked_at, b.status as was, b.role as was_role,
    b.lease_owner as was_held_by, d.asked, n.waits_for,
    extract(epoch from t.lease_until - frasier_now())::float8 as lease_s,
    extract(epoch from frasier_now() - t.since)::float8 as waits_s
from workflow_tasks t join boards g on g.id = t.group_id
left join workflow_blocks b on b.task_id = t.id
left join lateral (
    select jsonb_agg(jsonb_build_object('decision', m.id, 'move', m.transition, 'asked_by', m.asked_by,
        'asked_at', m.asked_at, 'answer', m.answer, 'comment', m.comment, 'answered_at', m.answered_at)) as asked
    from (select distinct on (transition) * from board_decisions
          where task_id = t.id and version = t.version and used_at is null and withdrawn_at is null
          order by transition, answer is not distinct from 'approved' desc, answer is null desc,
              asked_at desc, num desc) m
) d on true
left join lateral (
    select jsonb_agg(o.slug order by o.num) as waits_for
    from workflow_dependencies e join workflow_tasks o on o.id = e.depends_on
    where e.task_id = t.id and e.kind = 'blocks' and not e.satisfied and t.pending_deps > 0
) n on true
where (cardinality(%(boards)s::text[]) = 0 or g.name = any(%(boards)s::text[]))
  and (%(over_days)s::float8 is null and t.ended_at is null
       or %(over_days)s::float8 is not null
          and (t.ended_at is null or t.ended_at > frasier_now() - make_interval(secs => %(over_days)s::float8 * 86400)))
  and (%(ids)s::uuid[] is null or t.id = any(%(ids)s::uuid[]))
  and (%(per_status)s::int is null or t.id in (
      select id from (
          select o.id, row_number() over (partition by o.group_id, o.process, o.status order by o.priority desc,
              case when o.ended_at is null then o.since end, o.ended_at desc, o.num) as nth
          from workflow_tasks o join boards q on q.id = o.group_id
          where (cardinality(%(boards)s::text[]) = 0 or q.name = any(%(boards)s::text[]))
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
-- The number of tasks of boards by process and status: open ones, and those that ended within some days.
select t.process, t.status, count(*) as tasks from workflow_tasks t join boards g on g.id = t.group_id
where g.name = any(%(boards)s::text[])
  and (t.ended_at is null or t.ended_at > frasier_now() - make_interval(secs => %(over_days)s::float8 * 86400))
group by t.process, t.status

-- name: count_ended
-- The number of ended tasks of boards; of one status, role and process if they are named.
select count(*) as tasks from workflow_tasks t join boards g on g.id = t.group_id
where g.name = any(%(boards)s::text[]) and t.ended_at is not null
  and (%(status)s::text is null or t.status = %(status)s::text)
  and (%(role)s::text is null or t.role = %(role)s::text)
  and (%(process)s::text is null or t.process = %(process)s::text)

-- name: count_tasks
-- The number of tasks.
select count(*) as tasks from workflow_tasks

-- name: sample_tasks
-- A random sample of tasks.
select id from workflow_tasks order by random() limit %(number)s::int

-- name: tasks_to_replay
-- The next tasks in the order of creation; only those of the sample if there is one.
select * from workflow_tasks t
where t.num > %(after)s::bigint and (%(ids)s::uuid[] is null or t.id = any(%(ids)s::uuid[]))
order by t.num limit %(limit)s::int

-- name: count_open_dependencies
-- The number of tasks not completed that each of some tasks waits for.
select d.task_id as id, count(*) as tasks from workflow_dependencies d join workflow_tasks n on n.id = d.depends_on
where d.task_id = any(%(ids)s::uuid[]) and d.kind = 'blocks' and n.outcome is distinct from 'completed'
group by d.task_id

-- name: existing_tasks
-- Those of some tasks that exist.
select id from workflow_tasks where id = any(%(ids)s::uuid[])
