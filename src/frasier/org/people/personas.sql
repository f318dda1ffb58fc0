-- name: persona_of
-- The persona that an agent points to.
select p.identity, p.soul, p.method, p.standards, p.sources
from org_agents a join org_personas p on p.agent_id = a.id and p.version = a.persona_version
where a.id = %(agent_id)s::uuid

-- name: insert_persona
-- One version of a persona.
insert into org_personas (agent_id, version, identity, soul, method, standards, sources, why)
values (%(agent_id)s::uuid, %(version)s::int, %(identity)s::text, %(soul)s::text, %(method)s::text,
        %(standards)s::text, %(sources)s::text[], %(why)s::text)

-- name: persona_versions
-- Every version of an agent's persona, newest first.
select version, identity, soul, method, standards, sources, why, created_at
from org_personas where agent_id = %(agent_id)s::uuid order by version desc
