-- name: happenings_since
-- What happened in the work of the organisation, newest first: versions, verdicts, open questions, and missions that began
-- or ended. What concerns no agent's step has none.
select * from (
    select 'delivered' as what, s.agent_id, s.title, m.title as mission, d.version::text as detail,
        null::float8 as overall, null::text as feedback, d.created_at as at
    from org_deliverables d join org_steps s on s.task_id = d.task_id join org_missions m on m.id = s.mission_id
    union all
    select 'judged', s.agent_id, s.title, m.title, r.state, r.overall, r.feedback, r.reviewed_at
    from org_reviews r join org_steps s on s.task_id = r.step_id join org_missions m on m.id = s.mission_id
    where r.state in ('approved', 'rejected')
    union all
    select 'waits', s.agent_id, q.question, null, null, null, null, q.asked_at
    from org_questions q left join org_steps s on s.task_id = q.task_id
    where q.answered_at is null and q.withdrawn_at is null and q.kind <> 'routine'
    union all
    select 'mission', null, m.title, null, m.status, null, null,
        greatest(m.created_at, m.completed_at, m.delivered_at,
            case when m.status in ('failed', 'cancelled') then m.updated_at end)
    from org_missions m
) happened
where %(since)s::timestamptz is null or at > %(since)s::timestamptz
order by at desc limit %(limit)s::int
