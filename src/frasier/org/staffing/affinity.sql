-- name: affinities_of
-- For some agents, or all, each one that they have worked with: reviews of one's work by the other with their mean, and
-- the completed missions that both had steps in.
with met as (
    select s.agent_id as agent, r.reviewer as other, r.overall, null::uuid as mission_id
    from org_reviews r join org_steps s on s.task_id = r.step_id
    where r.reviewer is not null and r.overall is not null and r.state in ('approved', 'rejected')
    union all
    select r.reviewer, s.agent_id, r.overall, null::uuid
    from org_reviews r join org_steps s on s.task_id = r.step_id
    where r.reviewer is not null and r.overall is not null and r.state in ('approved', 'rejected')
    union all
    select distinct one.agent_id, two.agent_id, null::float8, one.mission_id
    from org_steps one join org_steps two on two.mission_id = one.mission_id and two.agent_id <> one.agent_id
    join org_missions m on m.id = one.mission_id
    where m.status in ('completed', 'delivered') and not one.removed and not two.removed
)
select agent, other, count(overall) as reviews, avg(overall)::float8 as mean_score,
    count(distinct mission_id) as missions
from met
where %(agent_ids)s::uuid[] is null or agent = any(%(agent_ids)s::uuid[])
group by agent, other
order by agent, other
