-- name: roster
-- The agents: the chief of staff, then team by team, its lead first.
select id, key, name, role, title, team, kind, status, persona_version, created_at
from org_agents where not %(active_only)s::boolean or status = 'active'
order by kind <> 'chief_of_staff', team, kind <> 'team_lead', lower(name), created_at, id

-- name: agent_by_id
-- One agent.
select id, key, name, role, title, team, kind, status, persona_version, created_at
from org_agents where id = %(id)s::uuid

-- name: agent_by_key
-- One agent by key.
select id, key, name, role, title, team, kind, status, persona_version, created_at
from org_agents where key = %(key)s::text

-- name: chief_of_staff
-- The one chief of staff.
select id, key, name, role, title, team, kind, status, persona_version, created_at
from org_agents where kind = 'chief_of_staff' and status <> 'retired'

-- name: teams
-- Every team.
select id, name, description, lead, status from org_teams order by id

-- name: persona_of
-- The persona that an agent points to.
select p.identity, p.soul, p.method, p.standards
from org_agents a join org_personas p on p.agent_id = a.id and p.version = a.persona_version
where a.id = %(agent_id)s::uuid

-- name: next_persona_version
-- Moves an agent's pointer to a version that the same transaction must add.
update org_agents set persona_version = persona_version + 1 where id = %(agent_id)s::uuid
returning persona_version

-- name: insert_persona
-- One version of a persona.
insert into org_personas (agent_id, version, identity, soul, method, standards, why)
values (%(agent_id)s::uuid, %(version)s::int, %(identity)s::text, %(soul)s::text, %(method)s::text,
        %(standards)s::text, %(why)s::text)

-- name: wait_for_other_founders
-- Lets one process found the organisation while the others wait, until the transaction ends.
select pg_advisory_xact_lock(hashtext('frasier founding'))

-- name: insert_team
-- Inserts a team, unless it exists.
insert into org_teams (id, name, description, lead)
values (%(id)s::text, %(name)s::text, %(description)s::text, %(lead)s::uuid)
on conflict (id) do nothing

-- name: insert_agent
-- An agent with the first version of a persona that the same transaction must add, unless it exists.
insert into org_agents (id, key, name, role, title, team, kind, persona_version)
values (%(id)s::uuid, %(key)s::text, %(name)s::text, %(role)s::text, %(title)s::text, %(team)s::text,
        %(kind)s::text, 1)
on conflict (id) do nothing
