-- name: insert_mission
-- Stores a mission, to be planned.
insert into org_missions (id, title, directive, status, destination, rehearsal, web_search, source_count,
                          skipped_sources)
values (%(id)s::uuid, %(title)s::text, %(directive)s::text, 'planning', %(destination)s::text,
        %(rehearsal)s::boolean, %(web_search)s::boolean, %(source_count)s::int, %(skipped_sources)s::text[])
returning *

-- name: get_mission
-- One mission.
select * from org_missions where id = %(id)s::uuid

-- name: lock_mission
-- One mission, held until the transaction ends: taken last, so that two ending steps see each other. Not `for update`:
-- a transaction that stored a deliverable holds the mission's key, and two of them would deadlock.
select * from org_missions where id = %(id)s::uuid for no key update

-- name: missions_like
-- Missions by the beginning or end of their id, or the newest.
select * from org_missions
where case when %(newest)s::boolean then id = (select id from org_missions order by created_at desc, id desc limit 1)
      else %(part)s::text in (left(replace(id::text, '-', ''), length(%(part)s::text)),
                              right(replace(id::text, '-', ''), length(%(part)s::text)))
      end
order by created_at desc, id desc limit %(limit)s::int

-- name: list_missions
-- The newest missions.
select * from org_missions order by created_at desc, id desc limit %(limit)s::int

-- name: count_missions
-- The number of missions by status.
select status, count(*) as missions from org_missions group by status

-- name: titles_of
-- The titles of some missions.
select id, title from org_missions where id = any(%(ids)s::uuid[])

-- name: set_status
-- Moves a mission from an expected status.
update org_missions set status = %(status)s::text, updated_at = frasier_now(),
    status_before_pause = case when %(status)s::text = 'paused' then status end,
    failure = %(failure)s::text
where id = %(id)s::uuid and status = %(expected)s::text
returning *

-- name: complete_mission
-- The mission is complete: its approved final deliverable is named in the same statement.
update org_missions set status = 'completed', final_deliverable = %(deliverable)s::uuid, completed_at = frasier_now(),
    updated_at = frasier_now()
where id = %(id)s::uuid and status in ('in_progress', 'paused')
returning *

-- name: deliver_mission
-- Marks a mission as delivered: its folder exists.
update org_missions set status = 'delivered', delivered_path = %(path)s::text, delivered_at = frasier_now(),
    updated_at = frasier_now()
where id = %(id)s::uuid and status = 'completed'
returning *

-- name: insert_plan
-- A version of a mission's plan, accepted or with the reasons against it.
insert into org_plans (mission_id, version, plan, issues, accepted)
select %(mission_id)s::uuid, coalesce(max(version), 0) + 1, %(plan)s::jsonb, %(issues)s::text[], %(accepted)s::boolean
from org_plans where mission_id = %(mission_id)s::uuid

-- name: plans_of
-- Every version of a mission's plan.
select version, plan, issues, accepted, created_at from org_plans where mission_id = %(mission_id)s::uuid
order by version

-- name: insert_step
-- Stores the step of a task.
insert into org_steps (task_id, mission_id, key, title, instruction, acceptance, role, agent_id, tier, is_final,
                       sources_needed, queries_needed)
values (%(task_id)s::uuid, %(mission_id)s::uuid, %(key)s::text, %(title)s::text, %(instruction)s::text,
        %(acceptance)s::text[], %(role)s::text, %(agent_id)s::uuid, %(tier)s::text, %(is_final)s::boolean,
        %(sources_needed)s::int, %(queries_needed)s::int)

-- name: get_step
-- One step.
select * from org_steps where task_id = %(task_id)s::uuid

-- name: steps_of
-- The steps of a mission.
select * from org_steps where mission_id = %(mission_id)s::uuid order by task_id

-- name: open_steps_by_agent
-- The number of open steps by agent.
select s.agent_id, count(*) as open from org_steps s join org_missions m on m.id = s.mission_id
where m.status in ('planning', 'in_progress') group by s.agent_id

-- name: insert_deliverable
-- The next version of a step's result.
insert into org_deliverables (id, task_id, mission_id, version, attempt, content, digest, citations, critique,
    critique_mean, questions, tier_asked, tier_served, provider, model, degraded, rehearsal)
select %(id)s::uuid, %(task_id)s::uuid, %(mission_id)s::uuid, coalesce(max(version), 0) + 1, %(attempt)s::int,
    %(content)s::text, %(digest)s::text, %(citations)s::jsonb, %(critique)s::jsonb, %(critique_mean)s::float8,
    %(questions)s::text[], %(tier_asked)s::text, %(tier_served)s::text, %(provider)s::text, %(model)s::text,
    %(degraded)s::boolean, %(rehearsal)s::boolean
from org_deliverables where task_id = %(task_id)s::uuid
returning *

-- name: get_deliverable
-- One version.
select * from org_deliverables where id = %(id)s::uuid

-- name: deliverables_of
-- Every version of some steps.
select * from org_deliverables where task_id = any(%(task_ids)s::uuid[]) order by created_at, id

-- name: accepted_deliverables
-- The newest version of each completed step among some.
select distinct on (d.task_id) d.* from org_deliverables d
join workflow_v_results t on t.id = d.task_id and t.result_digest = d.digest
where d.task_id = any(%(task_ids)s::uuid[]) order by d.task_id, d.version desc

-- name: insert_message
-- Stores a message of the founder.
insert into org_messages (id, text) values (%(id)s::uuid, %(text)s::text)

-- name: get_message
-- One message.
select * from org_messages where id = %(id)s::uuid

-- name: answer_message
-- Stores the classification of a message and its consequences.
update org_messages set classification = %(classification)s::text, confidence = %(confidence)s::float8,
    reasoning = %(reasoning)s::text, answer = %(answer)s::text, mission_id = %(mission_id)s::uuid,
    directives = %(directives)s::uuid[], advice = %(advice)s::jsonb, answered_at = frasier_now()
where id = %(id)s::uuid and answered_at is null
