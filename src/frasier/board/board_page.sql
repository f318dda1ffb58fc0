-- name: pick_tasks
-- The first tasks of each status of a board that match a filter, by urgency, ended ones by their end, and how many match.
select id, process, status, tasks from (
    select t.id, t.process, t.status, t.num, count(*) over (partition by t.process, t.status) as tasks,
        row_number() over (partition by t.process, t.status order by t.priority desc,
            case when t.ended_at is null then t.since end desc, t.ended_at desc, t.num desc) as nth
    from workflow_tasks t
    where t.group_id = %(board)s::uuid
      and (t.ended_at is null or t.ended_at > frasier_now() - make_interval(secs => %(over_days)s::float8 * 86400))
      and (%(process)s::text is null or t.process = %(process)s::text)
      and (%(status)s::text is null or t.status = %(status)s::text)
      and (%(role)s::text is null or t.role = %(role)s::text)
      and (%(holder)s::text is null or t.lease_owner = %(holder)s::text)
      and (%(text)s::text is null or strpos(lower(t.slug || ' ' || t.title), lower(%(text)s::text)) > 0
           or strpos(lower(t.fields ->> 'description'), lower(%(text)s::text)) > 0)
      and (not %(waiting)s::boolean or t.role = 'founder' and t.ended_at is null or exists (
           select from board_decisions d where d.task_id = t.id and d.version = t.version and d.answer is null
               and d.withdrawn_at is null))
) ranked
where nth <= %(per_status)s::int order by process, status, nth

-- name: board_facets
-- The processes, and the holders, of the open tasks of a board, and those that ended within some days.
select array(select distinct process from workflow_tasks where group_id = %(board)s::uuid) as processes,
    array(select distinct lease_owner from workflow_tasks
          where group_id = %(board)s::uuid and lease_owner is not null order by 1) as holders

-- name: board_counts
-- Every board with its number of open, blocked and founder's tasks, and the newest change of any.
select b.name, b.approval_mode, count(t.id) filter (where t.ended_at is null) as open,
    count(t.id) filter (where t.status = 'blocked') as blocked,
    count(t.id) filter (where t.lease_owner is not null) as held,
    count(t.id) filter (where t.ended_at is null and (t.role = 'founder' or exists (
       select from board_decisions d where d.task_id = t.id and d.version = t.version and d.answer is null
           and d.withdrawn_at is null))) as waiting,
    max(t.updated_at) as changed_at
from boards b left join workflow_tasks t on t.group_id = b.id group by b.id, b.name, b.approval_mode order by b.name
