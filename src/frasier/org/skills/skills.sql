-- name: skills_of
-- The skills of one agent, best first.
select skill as name, level, uses, last_used from org_skills
where agent_id = %(agent_id)s::uuid order by level desc, uses desc, skill

-- name: insert_missing
-- Inserts missing skills at level 1, in one order, so that two writers cannot deadlock.
insert into org_skills (agent_id, skill)
select wanted.agent_id, wanted.skill
from unnest(%(agent_ids)s::uuid[], %(skills)s::text[]) as wanted (agent_id, skill)
order by wanted.agent_id, wanted.skill
on conflict (agent_id, skill) do nothing

-- name: lock_skills
-- Locks the skills that are about to grow.
select skill, level, uses from org_skills
where agent_id = %(agent_id)s::uuid and skill = any(%(skills)s::text[])
order by skill for update

-- name: store_growth
-- Stores the new levels and uses of the locked skills.
update org_skills s set level = grown.level, uses = grown.uses, last_used = frasier_now()
from unnest(%(skills)s::text[], %(levels)s::smallint[], %(uses)s::int[]) as grown (skill, level, uses)
where s.agent_id = %(agent_id)s::uuid and s.skill = grown.skill

-- name: skill_holders
-- The agents who have a skill, best first.
select agent_id, level, uses from org_skills
where skill = %(skill)s::text order by level desc, uses desc, agent_id

-- name: count_holders
-- The number of agents who have each skill, and their accepted works with it.
select skill, count(*) as agents, sum(uses)::int as uses from org_skills group by skill
