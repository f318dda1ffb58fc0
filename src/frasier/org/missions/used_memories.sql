-- name: note_used_memories
-- The memories that an agent's prompts for a task are given; one that was judged before waits for the next verdict.
insert into org_used_memories (task_id, mission_id, agent_id, memory_id, kind, title, content)
select %(task_id)s::uuid, %(mission_id)s::uuid, %(agent_id)s::uuid, used.*
from unnest(%(ids)s::uuid[], %(kinds)s::text[], %(titles)s::text[], %(contents)s::text[]) as used
on conflict (task_id, memory_id, agent_id) do update set outcome = null, used_at = frasier_now()

-- name: judge_used_memories
-- Ends the wait of the memories of one kind that tasks used for a verdict, and names them.
update org_used_memories set outcome = %(outcome)s::text
where task_id = any(%(task_ids)s::uuid[]) and kind = %(kind)s::text and outcome is null
returning agent_id, memory_id

-- name: used_memories
-- The memories that a mission's tasks used, in the order of their use.
select task_id, agent_id, memory_id, kind, title, content, outcome from org_used_memories
where mission_id = %(mission_id)s::uuid order by used_at, task_id, memory_id, agent_id
