-- name: insert_plan
-- A version of a mission's plan, accepted or with the reasons against it.
insert into org_plans (mission_id, version, plan, issues, accepted)
select %(mission_id)s::uuid, coalesce(max(version), 0) + 1, %(plan)s::jsonb, %(issues)s::text[], %(accepted)s::boolean
from org_plans where mission_id = %(mission_id)s::uuid

-- name: plans_of
-- Every version of a mission's plan.
select version, plan, issues, accepted, created_at from org_plans where mission_id = %(mission_id)s::uuid
order by version
