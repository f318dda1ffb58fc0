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
