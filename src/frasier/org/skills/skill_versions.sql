-- name: lock_skill
-- Lets one transaction change the versions of a skill while the others wait, until it ends.
select pg_advisory_xact_lock(hashtext('frasier skill ' || %(skill)s::text))

-- name: skill_versions
-- The versions of a skill, newest first.
select v.skill, v.version, v.short, v.long, v.origin, v.source, v.source_digest, v.actor, v.why, v.added_at,
       f.version is not null as in_force
from org_skill_versions v left join org_skills_in_force f on f.skill = v.skill and f.version = v.version
where v.skill = %(skill)s::text order by v.version desc

-- name: skills_in_force
-- The versions in force, of some skills or of all.
select v.skill, v.version, v.short, v.long, v.origin, v.source, v.source_digest, v.actor, v.why, v.added_at,
       true as in_force
from org_skills_in_force f join org_skill_versions v on v.skill = f.skill and v.version = f.version
where %(skills)s::text[] is null or f.skill = any(%(skills)s::text[])
order by v.skill

-- name: add_skill_version
-- Adds the next version of a skill, which is locked.
insert into org_skill_versions (skill, version, short, long, origin, source, source_digest, actor, why)
select %(skill)s::text, coalesce(max(version), 0) + 1, %(short)s::text, %(long)s::text, %(origin)s::text,
       %(source)s::text, %(source_digest)s::text, %(actor)s::text, %(why)s::text
from org_skill_versions where skill = %(skill)s::text
returning version

-- name: put_in_force
-- Puts a version of a skill in force in place of another.
insert into org_skills_in_force (skill, version, actor, why)
values (%(skill)s::text, %(version)s::int, %(actor)s::text, %(why)s::text)
on conflict (skill) do update
set version = excluded.version, actor = excluded.actor, why = excluded.why, since = frasier_now()

-- name: lock_catalogue
-- Lets one process add the methods of the catalogue while the others wait, until the transaction ends.
select pg_advisory_xact_lock(hashtext('frasier skill catalogue'))

-- name: catalogue_digests
-- The digests of the methods that came with this program or an earlier one.
select skill, source_digest from org_skill_versions where origin = 'catalogue'

-- name: add_catalogue_methods
-- Adds methods of the catalogue as the next versions of their skills.
insert into org_skill_versions (skill, version, short, long, origin, source, source_digest, actor, why)
select m.skill, coalesce((select max(v.version) from org_skill_versions v where v.skill = m.skill), 0) + 1,
       m.short, m.long, 'catalogue', m.source, m.source_digest, %(actor)s::text, %(why)s::text
from unnest(%(skills)s::text[], %(shorts)s::text[], %(longs)s::text[], %(sources)s::text[], %(digests)s::text[])
    as m (skill, short, long, source, source_digest)
returning skill, version

-- name: put_catalogue_in_force
-- Puts versions of the catalogue in force, but not in place of what was written since.
insert into org_skills_in_force (skill, version, actor, why)
select added.skill, added.version, %(actor)s::text, %(why)s::text
from unnest(%(skills)s::text[], %(versions)s::int[]) as added (skill, version)
on conflict (skill) do update
set version = excluded.version, actor = excluded.actor, why = excluded.why, since = frasier_now()
where (select v.origin from org_skill_versions v
       where v.skill = org_skills_in_force.skill and v.version = org_skills_in_force.version) = 'catalogue'
returning skill

-- name: withdraw_version
-- No version of a skill is in force, if this one was.
delete from org_skills_in_force where skill = %(skill)s::text and version = %(version)s::int
