-- name: count_by_place
-- Open tasks by what they wait for, those of boards and all others. The processes of the holders `ended` are known to
-- have ended; `initial` are the positions, as process/status, in which tasks wait until they can begin.
select case when t.status = 'blocked' then 'blocked'
        when lease_owner = any(%(ended)s::text[]) or lease_until <= frasier_now() then 'lost'
        when lease_owner is not null then 'running'
        when not claimable and t.status = 'in_review' then 'in_review'
        when exists (select from board_decisions d
            where d.task_id = t.id and d.version = t.version and d.answer is null and d.withdrawn_at is null) then 'with_founder'
        when not claimable and pending_deps > 0 and t.process || '/' || t.status = any(%(initial)s::text[]) then 'waiting'
        when not claimable then 'to_be_moved' when held then 'paused' when pending_deps > 0 then 'waiting'
        when run_after > frasier_now() then 'retrying' else 'ready' end as place, b.id is not null as on_board, count(*) as tasks
from workflow_tasks t left join boards b on b.id = t.group_id where t.ended_at is null
group by place, on_board

-- name: count_by_assignee
-- Open tasks of each agent.
select assignee, count(*) as tasks from workflow_tasks
where ended_at is null and assignee is not null group by assignee
