-- name: mission_counts
-- For each of some missions: the kind of its planned result, its steps, those that are done and that are worked on, and its open questions. The processes
-- of the lease holders `ended` are known to have ended.
select m.id as mission_id, s.kind, coalesce(s.steps, 0) as steps, coalesce(s.done, 0) as done, coalesce(s.active, 0) as active,
    (select count(*) from org_questions q
     where q.mission_id = m.id and q.answered_at is null and q.withdrawn_at is null) as questions
from unnest(%(mission_ids)s::uuid[]) as m (id)
left join (
    select s.mission_id, max(s.kind) as kind, count(*) as steps, count(*) filter (where t.status = 'completed') as done,
        count(*) filter (where t.status = 'in_review' or t.status = 'active'
            and t.lease_until > frasier_now() and t.lease_owner <> all(%(ended)s::text[])) as active
    from org_steps s join workflow_tasks t on t.id = s.task_id
    where s.mission_id = any(%(mission_ids)s::uuid[]) and not s.removed
    group by s.mission_id
) s on s.mission_id = m.id
