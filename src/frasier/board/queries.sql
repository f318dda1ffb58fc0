-- name: make_project
-- A project, unless its name is in use.
insert into workflow_projects (id, name, mode_by) values (%(id)s::uuid, %(name)s::text, %(by)s::text)
on conflict (name) do nothing
returning id, name, approval_mode, mode_version, mode_by, mode_at, created_at

-- name: get_project
-- One project by its name.
select id, name, approval_mode, mode_version, mode_by, mode_at, created_at from workflow_projects
where name = %(name)s::text

-- name: project_of_group
-- The project whose tasks a group is.
select id, name, approval_mode, mode_version, mode_by, mode_at, created_at from workflow_projects
where id = %(id)s::uuid

-- name: keep_project_of_group
-- The same, and nobody changes it until the transaction ends: whoever reads the mode acts by it.
select id, name, approval_mode, mode_version, mode_by, mode_at, created_at from workflow_projects
where id = %(id)s::uuid for share

-- name: list_projects
-- All projects.
select id, name, approval_mode, mode_version, mode_by, mode_at, created_at from workflow_projects order by name

-- name: set_mode
-- Changes the mode, if it is still the one that was looked at.
update workflow_projects set approval_mode = %(mode)s::text, mode_version = mode_version + 1, mode_by = %(by)s::text,
    mode_at = frasier_now()
where id = %(id)s::uuid and mode_version = %(seen)s::int
returning id, name, approval_mode, mode_version, mode_by, mode_at, created_at

-- name: begin_outage
-- Something is down; once, until it is not.
insert into workflow_outages (id, what, why) values (%(id)s::uuid, %(what)s::text, %(why)s::text)
on conflict (what) where ended_at is null do nothing
returning id

-- name: end_outage
-- It works again.
update workflow_outages set ended_at = frasier_now() where what = %(what)s::text and ended_at is null

-- name: open_outages
-- What is down.
select id, what, why, began_at from workflow_outages where ended_at is null order by began_at, what

-- name: clock
-- The time by the clock that stamps every move, as it is now and not when the transaction began.
select frasier_clock() as now
