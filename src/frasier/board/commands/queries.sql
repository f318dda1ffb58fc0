-- name: declare
-- A command, switched off; in the place of one of the same name.
insert into workflow_commands (project_id, name, arguments, folder, timeout_s, memory_mb, report)
values (%(project_id)s::uuid, %(name)s::text, %(arguments)s::text[], %(folder)s::text, %(timeout_s)s::int,
        %(memory_mb)s::int, %(report)s::text)
on conflict (project_id, name) do update
    set arguments = excluded.arguments, folder = excluded.folder, timeout_s = excluded.timeout_s,
        memory_mb = excluded.memory_mb, report = excluded.report, enabled = false, declared_at = frasier_now()
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

-- name: require
-- A command must have ended well before a move is made; whether that is new.
insert into workflow_required_commands (project_id, command, move, required_by)
values (%(project_id)s::uuid, %(name)s::text, %(move)s::text, %(by)s::text)
on conflict do nothing
returning command

-- name: waive
-- It need not any more.
delete from workflow_required_commands
where project_id = %(project_id)s::uuid and command = %(name)s::text and move = %(move)s::text
returning command

-- name: required
-- What must have ended well before a move of a project is made, or before any of its moves.
select r.move, c.name, c.arguments, c.folder, c.timeout_s, c.memory_mb, c.report, c.enabled, c.declared_at
from workflow_required_commands r
join workflow_commands c on c.project_id = r.project_id and c.name = r.command
where r.project_id = %(project_id)s::uuid and (%(move)s::text is null or r.move = %(move)s::text)
order by r.move, c.name
