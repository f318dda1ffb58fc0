-- name: note_used_memories
-- The memories that a task's prompts are given; one that was judged before waits for the next verdict.
insert into org_used_memories (task_id, memory_id, mission_id, kind, title, content)
select %(task_id)s::uuid, used.*
from unnest(%(ids)s::uuid[], %(missions)s::uuid[], %(kinds)s::text[], %(titles)s::text[], %(contents)s::text[]) as used
on conflict (task_id, memory_id) do update set outcome = null, used_at = frasier_now()

-- name: judge_used_memories
-- Ends the wait of a task's memories of one kind for a verdict, and names them.
update org_used_memories set outcome = %(outcome)s::text
where task_id = %(task_id)s::uuid and kind = %(kind)s::text and outcome is null
returning memory_id

-- name: used_memories
-- The memories that a mission's tasks used, in the order of their use.
select task_id, memory_id, kind, title, content, outcome from org_used_memories
where mission_id = %(mission_id)s::uuid order by used_at, task_id, memory_id
