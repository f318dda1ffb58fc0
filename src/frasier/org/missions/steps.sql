-- name: insert_step
-- Stores the step of a task.
insert into org_steps (task_id, mission_id, key, title, instruction, acceptance, role, agent_id, tier, is_final,
                       sources_needed, queries_needed, documents, table_plan, kind, reader, words, format, language, subject)
values (%(task_id)s::uuid, %(mission_id)s::uuid, %(key)s::text, %(title)s::text, %(instruction)s::text,
        %(acceptance)s::text[], %(role)s::text, %(agent_id)s::uuid, %(tier)s::text, %(is_final)s::boolean,
        %(sources_needed)s::int, %(queries_needed)s::int, %(documents)s::int[], %(table_plan)s::jsonb,
        %(kind)s::text, %(reader)s::text, %(words)s::int, %(format)s::text, %(language)s::text, %(subject)s::text)

-- name: change_step
-- Stores a changed assignment as the next edition of a step.
update org_steps set title = %(title)s::text, instruction = %(instruction)s::text, acceptance = %(acceptance)s::text[],
    edition = edition + 1
where task_id = %(task_id)s::uuid

-- name: give_step
-- Gives a step to another agent.
update org_steps set agent_id = %(agent_id)s::uuid where task_id = %(task_id)s::uuid

-- name: remove_step
-- Marks a step as not wanted any more.
update org_steps set removed = true where task_id = %(task_id)s::uuid

-- name: get_step
-- One step.
select * from org_steps where task_id = %(task_id)s::uuid

-- name: lock_step
-- Locks one step, so that its reviews are concluded one after the other.
select 1 from org_steps where task_id = %(task_id)s::uuid for no key update

-- name: steps_of
-- The steps of a mission.
select * from org_steps where mission_id = %(mission_id)s::uuid order by task_id

-- name: open_steps_of
-- The steps of an agent in missions that have not ended.
select s.* from org_steps s join org_missions m on m.id = s.mission_id
where s.agent_id = %(agent_id)s::uuid and not s.removed and m.status in ('planning', 'in_progress', 'paused')
order by s.task_id

-- name: last_given
-- Who was given the last steps, newest first.
select agent_id from org_steps where not removed order by task_id desc limit %(limit)s::int

-- name: open_steps_by_agent
-- The number of open steps by agent.
select s.agent_id, count(*) as open from org_steps s join org_missions m on m.id = s.mission_id
where m.status in ('planning', 'in_progress') group by s.agent_id

-- name: newest_steps_of
-- The newest steps of an agent that are still wanted.
select * from org_steps where agent_id = %(agent_id)s::uuid and not removed order by task_id desc limit %(limit)s::int

-- name: accepted_works
-- The newest accepted steps of each agent, with the mean score that reviewers gave the accepted version.
select s.agent_id, concat_ws(' ', s.subject, s.title, s.instruction) as text,
    (select avg(r.overall) from org_reviews r
     where r.deliverable_id = d.id and r.kind <> 'policy' and r.state = 'approved') as score
from org_agents a
cross join lateral (
    select s.* from org_steps s join workflow_v_results t on t.id = s.task_id
    where s.agent_id = a.id order by s.task_id desc limit %(limit)s::int
) s
join workflow_v_results t on t.id = s.task_id
join org_deliverables d on d.task_id = s.task_id and d.digest = t.result_digest
where a.id = any(%(agent_ids)s::uuid[]) and not d.rehearsal

-- name: authors_of
-- Everybody who does or did some steps: their agents now, and the authors of their versions.
select agent_id as agent from org_steps where task_id = any(%(task_ids)s::uuid[])
union select author from org_deliverables where task_id = any(%(task_ids)s::uuid[])
