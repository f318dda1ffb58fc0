-- name: count_by_place
-- Open tasks by what they wait for: those of boards, or all others. The processes of the holders `ended` are known to
-- have ended.
select case when status = 'blocked' then 'blocked'
        when lease_owner = any(%(ended)s::text[]) or lease_until <= frasier_now() then 'lost'
        when lease_owner is not null then 'running'
        when not claimable and status = 'in_review' then 'in_review'
        when not claimable then 'to_be_moved' when held then 'paused' when pending_deps > 0 then 'waiting'
        when run_after > frasier_now() then 'retrying' else 'ready' end as place, count(*) as tasks
from workflow_tasks t where ended_at is null
  and exists (select from boards p where p.id = t.group_id) = %(on_boards)s::boolean
group by place

-- name: count_by_assignee
-- Open tasks of each agent.
select assignee, count(*) as tasks from workflow_tasks
where ended_at is null and assignee is not null group by assignee
