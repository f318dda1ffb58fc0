-- name: note_used_skills
-- The versions of skills that an agent's prompts in a run are given.
insert into org_used_skills (task_id, attempt, agent_id, skill, version, in_full)
select %(task_id)s::uuid, %(attempt)s::int, %(agent_id)s::uuid, used.*
from unnest(%(skills)s::text[], %(versions)s::int[], %(in_full)s::bool[]) as used
on conflict (task_id, attempt, agent_id, skill) do update
set version = excluded.version, in_full = excluded.in_full, used_at = frasier_now()

-- name: skills_used_by_task
-- The versions of skills that a task's prompts were given, in the order of their use.
select task_id, attempt, agent_id, skill, version, in_full, used_at from org_used_skills
where task_id = %(task_id)s::uuid order by attempt, in_full desc, skill, agent_id

-- name: uses_of_skill
-- The tasks whose prompts were given a version of a skill, or any version of it, newest first.
select task_id, attempt, agent_id, skill, version, in_full, used_at from org_used_skills
where skill = %(skill)s::text and (%(version)s::int is null or version = %(version)s::int)
order by used_at desc, task_id, attempt, agent_id limit %(limit)s::int
