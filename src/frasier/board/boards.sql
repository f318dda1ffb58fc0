-- name: make_board
-- Insert a board, unless its name is in use.
insert into boards (id, name, mode_by) values (%(id)s::uuid, %(name)s::text, %(by)s::text)
on conflict (name) do nothing
returning id, name, approval_mode, mode_version, mode_by, mode_at, created_at

-- name: get_board
-- One board by its name.
select id, name, approval_mode, mode_version, mode_by, mode_at, created_at from boards
where name = %(name)s::text

-- name: board_of_group
-- The board whose tasks a group is.
select id, name, approval_mode, mode_version, mode_by, mode_at, created_at from boards
where id = %(id)s::uuid

-- name: lock_board_of_group
-- The same, locked until the transaction ends: whoever reads the mode acts on it.
select id, name, approval_mode, mode_version, mode_by, mode_at, created_at from boards
where id = %(id)s::uuid for share

-- name: board_names
-- The names of those of some groups that are boards.
select id, name from boards where id = any(%(ids)s::uuid[])

-- name: list_boards
-- All boards.
select id, name, approval_mode, mode_version, mode_by, mode_at, created_at from boards order by name

-- name: set_mode
-- Change the mode, unless it was changed since the caller saw it.
update boards set approval_mode = %(mode)s::text, mode_version = mode_version + 1, mode_by = %(by)s::text,
    mode_at = frasier_now()
where id = %(id)s::uuid and mode_version = %(seen)s::numeric
returning id, name, approval_mode, mode_version, mode_by, mode_at, created_at

-- name: begin_outage
-- Record an outage, unless one is open for that service.
insert into board_outages (id, what, why) values (%(id)s::uuid, %(what)s::text, %(why)s::text)
on conflict (what) where ended_at is null do nothing
returning id

-- name: end_outage
-- End the open outage of a service.
update board_outages set ended_at = frasier_now() where what = %(what)s::text and ended_at is null

-- name: open_outages
-- The open outages, longest first.
select id, what, why, began_at from board_outages where ended_at is null order by began_at, what

-- name: clock
-- The current time of the clock that stamps every move, not that of the start of the transaction.
select frasier_clock() as now
