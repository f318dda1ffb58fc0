-- name: begin_learning
-- Records the readings before a task; an unfinished one is replaced, a finished one left unchanged.
insert into memory_task_learnings (scope, task_key, session_id, pre_knowledge, pre_uncertainty, pre_context,
    knowledge_gaps)
values (%(scope)s::text, %(task_key)s::text, %(session_id)s::text, %(knowledge)s::int, %(uncertainty)s::int,
    %(context)s::int, %(gaps)s::text[])
on conflict (scope, task_key) do update
    set session_id = excluded.session_id, pre_knowledge = excluded.pre_knowledge,
        pre_uncertainty = excluded.pre_uncertainty, pre_context = excluded.pre_context,
        knowledge_gaps = excluded.knowledge_gaps, started_at = frasier_now()
    where memory_task_learnings.completed_at is null
returning *

-- name: lock_learning
-- Locks the record of one task.
select * from memory_task_learnings where scope = %(scope)s::text and task_key = %(task_key)s::text for update

-- name: finish_learning
-- Completes the record of an unfinished task.
update memory_task_learnings
set post_knowledge = %(knowledge)s::int, post_uncertainty = %(uncertainty)s::int,
    post_context = %(context)s::int, learning_index = %(index)s::real,
    gaps_closed = %(gaps_closed)s::text[], new_gaps = %(new_gaps)s::text[], completed_at = frasier_now()
where scope = %(scope)s::text and task_key = %(task_key)s::text and completed_at is null
returning *

-- name: list_learnings
-- The records of tasks, latest first.
select * from memory_task_learnings
where scope = any(%(scopes)s::text[]) and (%(session_id)s::text is null or session_id = %(session_id)s::text)
    and (completed_at is not null or not %(only_complete)s::bool)
order by coalesce(completed_at, started_at) desc, scope, task_key limit %(limit)s::int

-- name: average_learning
-- The average changes over the finished tasks; a decrease of uncertainty is positive.
select count(*) as started, count(completed_at) as completed,
    avg(post_knowledge - pre_knowledge)::float8 as knowledge,
    avg(pre_uncertainty - post_uncertainty)::float8 as uncertainty,
    avg(post_context - pre_context)::float8 as context
from memory_task_learnings
where scope = any(%(scopes)s::text[]) and (%(session_id)s::text is null or session_id = %(session_id)s::text)
