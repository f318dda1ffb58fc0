-- name: insert_deliverable
-- The next version of a step's result.
insert into org_deliverables (id, task_id, mission_id, version, attempt, content, digest, citations,
    verification, result_table, critique, critique_mean, questions, queries, tier_asked, tier_served, provider, model, degraded, rehearsal, author)
select %(id)s::uuid, %(task_id)s::uuid, %(mission_id)s::uuid, coalesce(max(version), 0) + 1, %(attempt)s::int,
    %(content)s::text, %(digest)s::text, %(citations)s::jsonb, %(verification)s::jsonb, %(table)s::jsonb, %(critique)s::jsonb, %(critique_mean)s::float8,
    %(questions)s::text[], %(queries)s::text[], %(tier_asked)s::text, %(tier_served)s::text, %(provider)s::text, %(model)s::text,
    %(degraded)s::boolean, %(rehearsal)s::boolean,
    coalesce(%(author)s::uuid, (select agent_id from org_steps where task_id = %(task_id)s::uuid))
from org_deliverables where task_id = %(task_id)s::uuid
returning *

-- name: get_deliverable
-- One version.
select * from org_deliverables where id = %(id)s::uuid

-- name: deliverables_of
-- Every version of some steps.
select * from org_deliverables where task_id = any(%(task_ids)s::uuid[]) order by created_at, id

-- name: accepted_deliverables
-- The newest version of each completed step among some.
select distinct on (d.task_id) d.* from org_deliverables d
join workflow_v_results t on t.id = d.task_id and t.result_digest = d.digest
where d.task_id = any(%(task_ids)s::uuid[]) order by d.task_id, d.version desc

-- name: degraded_missions
-- Those of some missions in which the accepted version of a step, or a review of it, is degraded.
select distinct s.mission_id from org_steps s
join workflow_v_results t on t.id = s.task_id
join org_deliverables d on d.task_id = s.task_id and d.digest = t.result_digest
where s.mission_id = any(%(mission_ids)s::uuid[]) and not s.removed
    and (d.degraded or exists (select from org_reviews r where r.deliverable_id = d.id and r.degraded
        and r.state in ('approved', 'rejected')))

-- name: get_deliverables
-- Some versions.
select * from org_deliverables where id = any(%(deliverable_ids)s::uuid[])

-- name: deliverable_of_text
-- The newest version with a text.
select * from org_deliverables where digest = %(digest)s::text order by created_at desc, id desc limit 1

-- name: superseded_deliverables
-- Versions in whose place there is a later one; a mission's result stays in force while the next is made.
select d.id from org_deliverables d
join org_missions m on m.id = d.mission_id
where d.id = any(%(deliverable_ids)s::uuid[]) and d.id <> coalesce(
    (select f.id from org_deliverables f where f.id = m.final_deliverable and f.task_id = d.task_id),
    (select n.id from org_deliverables n where n.task_id = d.task_id order by n.version desc limit 1))
