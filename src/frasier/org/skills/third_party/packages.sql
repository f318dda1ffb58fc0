-- name: insert_package
-- A folder as it was read.
insert into org_skill_packages (id, skill, source, folder, digest, agents, changed_by)
values (%(id)s::uuid, %(skill)s::text, %(source)s::text, %(folder)s::text, %(digest)s::text, %(agents)s::uuid[],
        %(actor)s::text)

-- name: insert_files
-- The files of a package.
insert into org_skill_package_files (package_id, path, content)
select %(package_id)s::uuid, file.path, file.content
from unnest(%(paths)s::text[], %(contents)s::bytea[]) as file (path, content)

-- name: newest_package
-- The newest package of a skill.
select * from org_skill_packages where skill = %(skill)s::text order by id desc limit 1

-- name: lock_package
-- A package, locked until the end of the transaction.
select * from org_skill_packages where id = %(id)s::uuid for update

-- name: package_of_version
-- The package that a version of a skill was made from.
select * from org_skill_packages where skill = %(skill)s::text and version = %(version)s::int

-- name: approved_package
-- The package whose version may be in force.
select * from org_skill_packages where skill = %(skill)s::text and state = 'approved'

-- name: add_agents
-- A package with further agents.
update org_skill_packages
set agents = (select coalesce(array_agg(distinct agent), '{}') from unnest(agents || %(agents)s::uuid[]) as agent)
where id = %(id)s::uuid
returning *

-- name: newest_packages
-- The newest package of each skill.
select distinct on (skill) * from org_skill_packages order by skill, id desc

-- name: set_state
-- A package in its next state; its version stays where none is given.
update org_skill_packages
set state = %(state)s::text, why = %(why)s::text, changed_by = %(actor)s::text, changed_at = frasier_now(),
    version = coalesce(%(version)s::int, version)
where id = %(id)s::uuid

-- name: files_of_package
-- The files of a package, as they are stored.
select path, content from org_skill_package_files where package_id = %(package_id)s::uuid order by path

-- name: insert_gate
-- The result of a gate.
insert into org_skill_gates (package_id, gate, outcome, digest, detail, findings, actor)
values (%(package_id)s::uuid, %(gate)s::text, %(outcome)s::text, %(digest)s::text, %(detail)s::text,
        %(findings)s::jsonb, %(actor)s::text)

-- name: gates_of_package
-- The newest result of each gate of a package.
select distinct on (gate) gate, outcome, digest, detail, findings, actor, at from org_skill_gates
where package_id = %(package_id)s::uuid order by gate, number desc

-- name: is_known_otherwise
-- Whether a skill has versions that are not of third parties.
select exists (select from org_skill_versions where skill = %(skill)s::text and origin <> 'third_party') as known

-- name: runs_with_version
-- The runs that were given a version of a skill, by task, newest first.
select task_id, attempt, agent_id, in_full, used_at from org_used_skills
where skill = %(skill)s::text and version = %(version)s::int
order by used_at desc, task_id, attempt, agent_id
