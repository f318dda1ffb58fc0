-- name: markers_of_task
-- The markers of a task, newest first.
select * from memory_recallable
where task_id = %(task_id)s::uuid and kind = 'marker'
order by num desc limit %(limit)s::int

-- name: recent_of_agent
-- The latest memories of an agent, newest first.
select * from memory_recallable
where agent_id = %(agent_id)s::uuid and kind = any(%(kinds)s::text[])
    and provenance -> %(without)s::text is distinct from 'true'::jsonb
order by created_at desc, num desc limit %(limit)s::int
