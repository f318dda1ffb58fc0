-- name: office_tasks
-- The open tasks of agents in missions of some statuses, and whatever else a worker holds, the oldest first. Of a review also
-- the step whose version it judges and the author, of a pending step those that it waits for. The processes of the lease
-- holders `ended` are known to have ended.
select t.id as task, t.assignee as agent, t.process, t.status, t.attempt, t.strikes, t.held as paused, t.since,
    coalesce(t.lease_until > frasier_now() and t.lease_owner <> all(%(ended)s::text[]), false) as worked_on, coalesce(s.title, t.title) as title, m.id as mission,
    m.title as mission_title, s.key as step, r.step_id as reviewed, author.name as author,
    array(select needed.title from workflow_dependencies d join org_steps needed on needed.task_id = d.depends_on
          where d.task_id = t.id and not d.satisfied and t.status = 'pending' order by needed.title) as needs,
    coalesce((select b.reasons @> '[{"owner": "founder"}]' from workflow_blocks b where b.task_id = t.id), false) as is_the_founders
from workflow_tasks t
left join org_missions m on m.id = t.group_id
left join org_reviews r on r.review_task = t.id and t.process = 'review'
left join org_steps s on s.task_id = coalesce(r.step_id, t.id)
left join org_agents author on author.id = s.agent_id and t.process = 'review'
where t.id in (
    select o.id from org_missions om join workflow_tasks o on o.group_id = om.id
    where om.status = any(%(statuses)s::text[]) and o.ended_at is null
    union
    select l.id from workflow_tasks l where l.lease_until is not null and l.ended_at is null
) and t.assignee is not null
order by t.since, t.num

-- name: newest_texts
-- The end of the newest text of each agent in the newest missions: a reply in prose, the reason of a verdict, or the titles of
-- a plan.
with newest as (select id from org_missions order by created_at desc limit %(missions)s::int)
select distinct on (w.agent) w.agent, w.task, right(w.text, %(chars)s::int) as text
from (
    select c.agent_id as agent, c.task_id as task, c.reply_text as text, c.ended_at as at
    from llm_calls c join newest on newest.id = c.mission_id
    where c.state = 'settled' and c.purpose = any(%(purposes)s::text[]) and c.agent_id is not null
    union all
    select r.reviewer, r.review_task, r.feedback, r.reviewed_at
    from newest join org_steps s on s.mission_id = newest.id join org_reviews r on r.step_id = s.task_id
    where r.state in ('approved', 'rejected') and r.reviewer is not null
    union all
    select t.assignee, t.id, string_agg(s.title, '; ' order by s.is_final, s.key), t.ended_at
    from newest join workflow_tasks t on t.group_id = newest.id join org_steps s on s.mission_id = newest.id
    where t.process = 'planning' and t.outcome = 'completed' group by t.id
) w
order by w.agent, w.at desc
