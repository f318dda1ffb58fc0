-- name: insert_plan
-- A version of a mission's plan, with the reasons against it if it was refused.
insert into org_plans (mission_id, version, plan, issues, state, origin, staffing, digest, estimate, accepted_at)
select %(mission_id)s::uuid, coalesce(max(version), 0) + 1, %(plan)s::jsonb, %(issues)s::text[], %(state)s::text,
    %(origin)s::text, %(staffing)s::jsonb, %(digest)s::text, %(estimate)s::jsonb,
    case when %(state)s::text = 'accepted' then frasier_now() end
from org_plans where mission_id = %(mission_id)s::uuid
returning *

-- name: plans_of
-- Every version of a mission's plan.
select * from org_plans where mission_id = %(mission_id)s::uuid order by version

-- name: current_plan
-- The plan that can still begin or has begun.
select * from org_plans
where mission_id = %(mission_id)s::uuid and state in ('proposed', 'approved', 'accepted')

-- name: set_plan_state
-- Moves a plan on from an expected state.
update org_plans set state = %(state)s::text,
    accepted_at = case when %(state)s::text = 'accepted' then frasier_now() end
where mission_id = %(mission_id)s::uuid and version = %(version)s::int and state = %(expected)s::text
