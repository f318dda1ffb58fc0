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
