-- name: roster
-- The agents: the chief of staff, then team by team, its lead first.
select id, key, name, role, title, team, kind, status, persona_version, created_at, is_test
from org_agents where not %(active_only)s::boolean or (status = 'active' and not is_test)
order by kind <> 'chief_of_staff', team, kind <> 'team_lead', lower(name), created_at, id

-- name: agent_by_id
-- One agent.
select id, key, name, role, title, team, kind, status, persona_version, created_at, is_test
from org_agents where id = %(id)s::uuid

-- name: chief_of_staff
-- The one chief of staff.
select id, key, name, role, title, team, kind, status, persona_version, created_at, is_test
from org_agents where kind = 'chief_of_staff' and status <> 'retired'
