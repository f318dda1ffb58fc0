-- name: insert_evaluation_task
-- What a task evaluates.
insert into org_evaluation_tasks (task_id, mission_id, evaluator, role, consumer, consumer_attempt, deliverables)
values (%(task_id)s::uuid, %(mission_id)s::uuid, %(evaluator)s::uuid, %(role)s::text, %(consumer)s::uuid,
        %(consumer_attempt)s::int, %(deliverables)s::uuid[])

-- name: task_of_consumer
-- The task that evaluates what an attempt used.
select task_id from org_evaluation_tasks
where consumer = %(consumer)s::uuid and consumer_attempt = %(consumer_attempt)s::int

-- name: get_evaluation_task
-- What a task evaluates.
select * from org_evaluation_tasks where task_id = %(task_id)s::uuid

-- name: evaluation_tasks_of
-- The tasks that evaluate a mission's versions.
select * from org_evaluation_tasks where mission_id = %(mission_id)s::uuid order by created_at, task_id

-- name: evaluated_missions
-- The missions whose versions some tasks evaluate.
select task_id, mission_id from org_evaluation_tasks where task_id = any(%(task_ids)s::uuid[])

-- name: insert_evaluation
-- An evaluation, once for each version and evaluator.
insert into org_evaluations (id, mission_id, deliverable_id, digest, producer, evaluator, member, role, consumer,
    consumer_attempt, task_id, attempt, evidence, useful, missing, unused, inaccuracies, effect, usefulness, clarity,
    rank, siblings)
values (%(id)s::uuid, %(mission_id)s::uuid, %(deliverable_id)s::uuid, %(digest)s::text, %(producer)s::uuid,
        %(evaluator)s::uuid, %(member)s::text, %(role)s::text, %(consumer)s::uuid, %(consumer_attempt)s::int,
        %(task_id)s::uuid, %(attempt)s::int, %(evidence)s::jsonb, %(useful)s::text[], %(missing)s::text[],
        %(unused)s::text[], %(inaccuracies)s::jsonb, %(effect)s::text, %(usefulness)s::text, %(clarity)s::text,
        %(rank)s::int, %(siblings)s::int)
on conflict do nothing
returning *

-- name: insert_evaluation_error
-- Why there is no evaluation, once.
insert into org_evaluation_errors (task_id, attempt, mission_id, deliverable_id, evaluator, error)
values (%(task_id)s::uuid, %(attempt)s::int, %(mission_id)s::uuid, %(deliverable_id)s::uuid, %(evaluator)s::uuid,
        %(error)s::text)
on conflict do nothing

-- name: evaluations_of_mission
-- Every evaluation of a mission's versions.
select * from org_evaluations where mission_id = %(mission_id)s::uuid order by created_at, id

-- name: evaluation_errors_of
-- The errors of evaluators in a mission.
select * from org_evaluation_errors where mission_id = %(mission_id)s::uuid order by created_at, task_id, deliverable_id

-- name: evaluations_by
-- All evaluations by some agents and members.
select * from org_evaluations
where evaluator = any(%(agents)s::uuid[]) or (member <> '' and member = any(%(members)s::text[]))
order by created_at, id
