-- name: verdicts_until
-- The verdicts of reviewers and of the founder on versions, until a moment, of missions with or without a model, oldest first.
select r.deliverable_id, r.kind, r.state, r.overall, r.reviewer, d.critique_mean, s.agent_id as author
from org_reviews r
join org_deliverables d on d.id = r.deliverable_id
join org_steps s on s.task_id = r.step_id
join org_missions m on m.id = s.mission_id
where r.state in ('approved', 'rejected') and r.kind <> 'policy' and m.rehearsal = %(rehearsal)s::boolean
    and r.reviewed_at <= %(until)s::timestamptz
order by r.reviewed_at, r.id

-- name: step_seconds_until
-- How long the runs of each step took that ended before a moment, of missions with or without a model.
select t.id as task, t.group_id as mission, t.slug as key,
    sum(extract(epoch from r.ended_at - r.started_at))::float8 as seconds
from workflow_tasks t
join org_missions m on m.id = t.group_id
join work_runs r on r.task_id = t.id
where t.process = 'mission_step' and m.rehearsal = %(rehearsal)s::boolean and r.ended_at <= %(until)s::timestamptz
group by t.id, t.group_id, t.slug order by t.id
