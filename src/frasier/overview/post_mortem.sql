-- name: verdicts_until
-- The verdicts of reviewers until a moment, if there is one, and all on versions of some missions, of missions with or
-- without a model, oldest first. Of each it is told what the founder made of the same content.
select r.deliverable_id, r.state, r.overall, r.reviewer, d.critique_mean, d.author,
    (select mark.agrees from org_review_marks mark where mark.review_id = r.id and mark.cause = 'founder') as founder_agrees,
    m.final_deliverable = r.deliverable_id as delivered,
    exists (
        select from org_review_marks mark where mark.review_id = r.id and mark.cause = 'correction'
    ) as corrected
from org_reviews r
join org_deliverables d on d.id = r.deliverable_id
join org_missions m on m.id = d.mission_id
where r.state in ('approved', 'rejected') and r.reviewer is not null and m.rehearsal = %(rehearsal)s::boolean
    and (r.reviewed_at <= %(until)s::timestamptz or m.id = any(%(missions)s::uuid[]))
order by r.reviewed_at, r.id

-- name: task_seconds_until
-- How long the longest run of each task took, of those that ended before a moment: work that is done again is no longer run.
select t.group_id as mission, t.slug as key, t.process,
    max(extract(epoch from r.ended_at - r.started_at))::float8 as seconds
from workflow_tasks t
join org_missions m on m.id = t.group_id
join work_runs r on r.task_id = t.id
where m.rehearsal = %(rehearsal)s::boolean and r.ended_at <= %(until)s::timestamptz
group by t.id, t.group_id, t.slug, t.process order by t.id

-- name: later_facts
-- Numbers of the facts about a mission that may come after its end.
select
    (select count(*) from org_reviews r join org_steps s on s.task_id = r.step_id
        where s.mission_id = %(mission)s::uuid and r.kind = 'founder') as founder_verdicts,
    (select count(distinct r.deliverable_id) from org_review_marks mark join org_reviews r on r.id = mark.review_id
        join org_steps s on s.task_id = r.step_id
        where s.mission_id = %(mission)s::uuid and mark.cause = 'correction') as corrections,
    (select count(*) from org_evaluations where mission_id = %(mission)s::uuid) as evaluations,
    (select count(*) from llm_calls c where c.mission_id = %(mission)s::uuid and c.state <> 'intent') as model_calls
