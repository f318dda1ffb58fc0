-- name: lock_hiring
-- Lets one transaction hire while the others wait, until it ends.
select pg_advisory_xact_lock(hashtext('frasier hiring'))

-- name: insert_new_agent
-- An agent with the first version of a persona that the same transaction must add.
insert into org_agents (id, key, name, role, title, team, kind, status, persona_version)
values (%(id)s::uuid, %(key)s::text, %(name)s::text, %(role)s::text, %(title)s::text, %(team)s::text,
        %(kind)s::text, %(status)s::text, 1)

-- name: set_agent_status
-- The status of an agent.
update org_agents set status = %(status)s::text where id = %(id)s::uuid

-- name: next_persona_version
-- The number of the next version of an agent's persona; locks the agent.
select coalesce((select max(p.version) from org_personas p where p.agent_id = a.id), 0) + 1 as version
from org_agents a where a.id = %(agent_id)s::uuid for no key update

-- name: set_persona_version
-- The version of the persona that is in force.
update org_agents set persona_version = %(version)s::int where id = %(agent_id)s::uuid
