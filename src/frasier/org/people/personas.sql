-- name: persona_of
-- The persona that an agent points to.
select p.identity, p.soul, p.method, p.standards, p.sources
from org_agents a join org_personas p on p.agent_id = a.id and p.version = a.persona_version
where a.id = %(agent_id)s::uuid

-- name: insert_persona
-- One version of a persona; the first is in force from then on.
with stored as (
    insert into org_personas (agent_id, version, identity, soul, method, standards, sources, why, actor, hypothesis)
    values (%(agent_id)s::uuid, %(version)s::int, %(identity)s::text, %(soul)s::text, %(method)s::text,
            %(standards)s::text, %(sources)s::text[], %(why)s::text, %(actor)s::text, %(hypothesis)s::text)
    returning agent_id, version, actor, why
)
insert into org_persona_acts (agent_id, version, act, actor, why)
select agent_id, version, 'first', actor, why from stored where version = 1

-- name: next_persona_version
-- The number of the next version of an agent's persona; locks the agent.
select coalesce((select max(p.version) from org_personas p where p.agent_id = a.id), 0) + 1 as version
from org_agents a where a.id = %(agent_id)s::uuid for no key update

-- name: persona_in_force
-- The version that is in force; locks the agent.
select persona_version as version from org_agents where id = %(agent_id)s::uuid for no key update

-- name: set_persona_version
-- The version of the persona that is in force.
update org_agents set persona_version = %(version)s::int where id = %(agent_id)s::uuid

-- name: insert_persona_act
-- An act in the history of an agent's personas.
insert into org_persona_acts (agent_id, version, act, actor, why, trial_id)
values (%(agent_id)s::uuid, %(version)s::int, %(act)s::text, %(actor)s::text, %(why)s::text, %(trial_id)s::uuid)

-- name: persona_versions
-- Every version of an agent's persona, newest first.
select version, identity, soul, method, standards, sources, why, actor, hypothesis, created_at
from org_personas where agent_id = %(agent_id)s::uuid order by version desc

-- name: persona_acts
-- The acts in the history of an agent's personas, newest first, each with the end of what it put in force.
select version, act, actor, why, trial_id, at,
    case when act <> 'set_aside' then lead(at) over (partition by act <> 'set_aside' order by id) end as until
from org_persona_acts where agent_id = %(agent_id)s::uuid order by id desc
