-- name: open_hire
-- The hire of a trade that was proposed or made and has not ended.
select * from org_hires where title_key = %(title_key)s::text and state in ('proposed', 'made')

-- name: hire_of
-- The hire of an agent.
select * from org_hires where agent_id = %(agent_id)s::uuid

-- name: refused_hire
-- A hire of a trade for a mission that the founder refused.
select agent_id from org_hires
where title_key = %(title_key)s::text and mission_id = %(mission_id)s::uuid and state = 'refused' limit 1

-- name: count_hires
-- How many hires the mission asked for, and how many were made within 30 days.
select count(*) filter (where mission_id = %(mission_id)s::uuid and state <> 'refused') as of_mission,
       count(*) filter (where state in ('made', 'ended') and decided_at > frasier_now() - interval '30 days') as of_month
from org_hires

-- name: insert_hire
-- A hire, decided at once or proposed.
insert into org_hires (agent_id, title_key, reason, mission_id, expected_usd_micros, state, why, decided_at, decided_by)
values (%(agent_id)s::uuid, %(title_key)s::text, %(reason)s::text, %(mission_id)s::uuid,
        %(expected_usd_micros)s::bigint, %(state)s::text, %(why)s::text,
        case when %(decided_by)s::text is null then null else frasier_now() end, %(decided_by)s::text)
returning *

-- name: decide_hire
-- The decision about a hire that is proposed.
update org_hires set state = %(state)s::text, decided_at = frasier_now(), decided_by = %(decided_by)s::text
where agent_id = %(agent_id)s::uuid and state = 'proposed'
returning *

-- name: end_hire
-- A hire whose agent has retired: its trade can be hired again.
update org_hires set state = 'ended', decided_at = coalesce(decided_at, frasier_now()),
    decided_by = coalesce(decided_by, %(decided_by)s::text)
where agent_id = %(agent_id)s::uuid and state in ('proposed', 'made')

-- name: hire_to_write
-- The hire of an agent, locked until the transaction ends.
select * from org_hires where agent_id = %(agent_id)s::uuid for no key update

-- name: set_hire_writer
-- The task that writes the persona of a hire.
update org_hires set writer = %(writer)s::uuid where agent_id = %(agent_id)s::uuid

-- name: set_hire_persona
-- What became of the persona of a hire.
update org_hires set persona = %(persona)s::text where agent_id = %(agent_id)s::uuid
