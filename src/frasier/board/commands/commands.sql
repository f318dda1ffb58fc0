-- name: declare
-- Store a command, switched off, replacing one of the same name.
insert into board_commands (board_id, name, arguments, folder, timeout_s, memory_mb, report)
values (%(board_id)s::uuid, %(name)s::text, %(arguments)s::text[], %(folder)s::text, %(timeout_s)s::int,
        %(memory_mb)s::int, %(report)s::text)
on conflict (board_id, name) do update
    set arguments = excluded.arguments, folder = excluded.folder, timeout_s = excluded.timeout_s,
        memory_mb = excluded.memory_mb, report = excluded.report, enabled = false, declared_at = frasier_now()
returning name, arguments, folder, timeout_s, memory_mb, report, enabled, declared_at

-- name: switch
-- Switch a command on or off.
update board_commands set enabled = %(enabled)s::boolean
where board_id = %(board_id)s::uuid and name = %(name)s::text
returning name, arguments, folder, timeout_s, memory_mb, report, enabled, declared_at

-- name: list_commands
-- The commands of a board.
select name, arguments, folder, timeout_s, memory_mb, report, enabled, declared_at from board_commands
where board_id = %(board_id)s::uuid order by name

-- name: get
-- One command.
select name, arguments, folder, timeout_s, memory_mb, report, enabled, declared_at from board_commands
where board_id = %(board_id)s::uuid and name = %(name)s::text

-- name: require
-- Require a command for a move; returns nothing if it is required already.
insert into board_required_commands (board_id, command, move, required_by)
values (%(board_id)s::uuid, %(name)s::text, %(move)s::text, %(by)s::text)
on conflict do nothing
returning command

-- name: waive
-- Take a requirement back.
delete from board_required_commands
where board_id = %(board_id)s::uuid and command = %(name)s::text and move = %(move)s::text
returning command

-- name: required
-- The commands required for a move of a board, or for any of its moves.
select r.move, c.name, c.arguments, c.folder, c.timeout_s, c.memory_mb, c.report, c.enabled, c.declared_at
from board_required_commands r
join board_commands c on c.board_id = r.board_id and c.name = r.command
where r.board_id = %(board_id)s::uuid and (%(move)s::text is null or r.move = %(move)s::text)
order by r.move, c.name
