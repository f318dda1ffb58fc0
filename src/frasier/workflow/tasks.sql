-- name: insert_tasks
-- Inserts tasks in the given order, which is that of their dependencies and decides whether they are ready.
insert into workflow_tasks (id, process, slug, title, group_id, status, role, assignee, priority, fields,
                            pending_deps, claimable, path_length)
select g.id, g.process, g.slug, g.title, g.group_id, g.status, g.role, g.assignee, g.priority, g.fields,
       g.pending_deps, g.claimable, g.path_length
from jsonb_to_recordset(%(tasks)s::jsonb) as g (
    nth int, id uuid, process text, slug text, title text, group_id uuid, status text, role text, assignee uuid,
    priority smallint, fields jsonb, pending_deps int, claimable boolean,
    path_length smallint)
order by g.nth
returning *

-- name: get_task
-- One task.
select * from workflow_tasks where id = %(id)s::uuid

-- name: get_task_to_change
-- One task that is about to be changed, sharing its group until the transaction ends; with the time that the transaction
-- gives to all it stores.
select t.*, frasier_now() as moment
from workflow_tasks t where t.id = %(id)s::uuid
  and (select pg_advisory_xact_lock_shared(hashtextextended('group:' || t.group_id::text, 0))) is not null

-- name: lock_task
-- One task, held until the transaction ends.
select 1 from workflow_tasks where id = %(id)s::uuid for no key update

-- name: edit_task
-- Fills and empties fields, if the task still has the version that was read.
update workflow_tasks set fields = (fields || %(fields)s::jsonb) - %(emptied)s::text[],
    judgements = %(judgements)s::jsonb, version = version + 1, updated_at = frasier_now()
where id = %(id)s::uuid and version = %(version)s::int
returning *

-- name: change_task
-- Changes the title and the priority of a task, if it still has the version that was read; null leaves one as it is.
update workflow_tasks set title = coalesce(%(title)s::text, title), priority = coalesce(%(priority)s::smallint, priority),
    version = version + 1, updated_at = frasier_now()
where id = %(id)s::uuid and version = %(version)s::int
returning *

-- name: reassign_task
-- Gives a task to another agent, if it still has the version that was read.
update workflow_tasks set assignee = %(assignee)s::uuid, version = version + 1, updated_at = frasier_now()
where id = %(id)s::uuid and version = %(version)s::int
returning *

-- name: move_task
-- The one guarded move. It names the version that was read, so that what is moved is what the gates and the founder saw;
-- and the attempt of a holder, which tells why another version was found.
select move_task(%(id)s::uuid, %(version)s::int, %(attempt)s::int, %(channel)s::text, %(status)s::text,
    %(role)s::text, %(claimable)s::boolean, %(delay_s)s::float8, %(strikes)s::int, %(failures)s::int, %(result_digest)s::text,
    %(result_size)s::int, %(fields)s::jsonb, %(judgements)s::jsonb, %(failure)s::text, %(outcome)s::text)

-- name: reopen_task
-- Moves an ended task back to its beginning and resets its counts; its history stays in the events.
update workflow_tasks set
    status = %(to)s::text, role = %(role)s::text, claimable = %(claimable)s::boolean, run_after = frasier_now(),
    strikes = 0, failures = 0, failure = null, cascaded = false, held = false, outcome = null, ended_at = null,
    result_digest = null, result_size = null, version = version + 1, since = frasier_now(), updated_at = frasier_now(),
    fields = fields || jsonb_build_object('round', coalesce((fields->>'round')::int, 0) + 1)
where id = %(id)s::uuid and status = %(expected)s::text
returning *
