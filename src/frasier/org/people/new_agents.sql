-- name: lock_hiring
-- Lets one transaction hire while the others wait, until it ends.
select pg_advisory_xact_lock(hashtext('frasier hiring'))

-- name: insert_new_agent
-- An agent with the first version of a persona that the same transaction must add.
insert into org_agents (id, key, name, role, title, team, kind, status, persona_version, is_test)
values (%(id)s::uuid, %(key)s::text, %(name)s::text, %(role)s::text, %(title)s::text, %(team)s::text,
        %(kind)s::text, %(status)s::text, 1, %(is_test)s::boolean)

-- name: set_agent_status
-- The status of an agent.
update org_agents set status = %(status)s::text where id = %(id)s::uuid
