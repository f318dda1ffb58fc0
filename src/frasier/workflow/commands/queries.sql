-- name: declare
-- A command, switched off; in the place of one of the same name.
insert into workflow_commands (project_id, name, arguments, folder, timeout_s, memory_mb, report)
values (%(project_id)s::uuid, %(name)s::text, %(arguments)s::text[], %(folder)s::text, %(timeout_s)s::int,
        %(memory_mb)s::int, %(report)s::text)
on conflict (project_id, name) do update
    set arguments = excluded.arguments, folder = excluded.folder, timeout_s = excluded.timeout_s,
        memory_mb = excluded.memory_mb, report = excluded.report, enabled = false, declared_at = now()
returning name, arguments, folder, timeout_s, memory_mb, report, enabled, declared_at

-- name: switch
-- A command is run from now on, or not any more.
update workflow_commands set enabled = %(enabled)s::boolean
where project_id = %(project_id)s::uuid and name = %(name)s::text
returning name, arguments, folder, timeout_s, memory_mb, report, enabled, declared_at

-- name: list_commands
-- The commands of a project.
select name, arguments, folder, timeout_s, memory_mb, report, enabled, declared_at from workflow_commands
where project_id = %(project_id)s::uuid order by name

-- name: get
-- One command.
select name, arguments, folder, timeout_s, memory_mb, report, enabled, declared_at from workflow_commands
where project_id = %(project_id)s::uuid and name = %(name)s::text
