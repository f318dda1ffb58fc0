-- name: work_now
-- What each agent works on now: the steps and reviews that a worker holds, the oldest first, with the newest line about each.
select t.assignee as agent, t.id as task, t.process, t.slug, t.title, t.since,
    m.id as mission, m.title as mission_title, s.key as step,
    coalesce((select a.text from work_activity a where a.task_id = t.id order by a.id desc limit 1), '') as activity
from workflow_tasks t
left join org_missions m on m.id = t.group_id
left join org_steps s on s.task_id = t.id
where t.lease_owner is not null and t.assignee is not null and t.ended_at is null
order by t.since, t.num

-- name: agent_records
-- For each agent: its accepted steps, the versions that reviewers sent back, the mean of reviewers' scores of its versions,
-- and the cost of its calls.
with accepted as (
    select s.agent_id, count(*) as steps from org_steps s join workflow_tasks t on t.id = s.task_id
    where t.outcome = 'completed' group by s.agent_id
), reviewed as (
    select s.agent_id, count(*) filter (where r.state = 'rejected') as rejected, count(r.overall) as reviews,
        avg(r.overall) as score
    from org_steps s join org_reviews r on r.step_id = s.task_id
    where r.state in ('approved', 'rejected') group by s.agent_id
), spent as (
    select agent_id, coalesce(sum(cost_usd_micros), 0)::bigint as usd_micros from llm_calls group by agent_id
)
select a.id as agent, coalesce(accepted.steps, 0) as accepted, coalesce(reviewed.rejected, 0) as rejected,
    reviewed.score, coalesce(reviewed.reviews, 0) as reviews, coalesce(spent.usd_micros, 0) as usd_micros
from org_agents a
left join accepted on accepted.agent_id = a.id
left join reviewed on reviewed.agent_id = a.id
left join spent on spent.agent_id = a.id

-- name: reviews_received
-- The newest reviews of an agent's steps; one by the policy or the founder has no reviewer.
select s.mission_id as mission, s.key as step, s.title, m.title as mission_title, r.kind, r.state, r.overall, r.feedback,
    r.reviewed_at, author.name as author, coalesce(reviewer.name, '') as reviewer
from org_steps s
join org_reviews r on r.step_id = s.task_id and r.state in ('approved', 'rejected')
join org_missions m on m.id = s.mission_id
join org_agents author on author.id = s.agent_id
left join org_agents reviewer on reviewer.id = r.reviewer
where s.agent_id = %(agent)s::uuid
order by r.reviewed_at desc, r.id desc limit %(limit)s::int

-- name: reviews_given
-- The newest reviews that an agent gave.
select s.mission_id as mission, s.key as step, s.title, m.title as mission_title, r.kind, r.state, r.overall, r.feedback,
    r.reviewed_at, author.name as author, reviewer.name as reviewer
from org_reviews r
join org_steps s on s.task_id = r.step_id
join org_missions m on m.id = s.mission_id
join org_agents author on author.id = s.agent_id
join org_agents reviewer on reviewer.id = r.reviewer
where r.reviewer = %(agent)s::uuid and r.state in ('approved', 'rejected')
order by r.reviewed_at desc, r.id desc limit %(limit)s::int
