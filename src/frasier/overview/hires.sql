-- name: hires
-- The hires, newest first: of one agent, of those that a mission asked for or waited for, or all. Writing a persona is paid
-- by the missions whose tasks wrote it.
with writing as (
    select t.fields ->> 'colleague' as key, sum(c.cost_usd_micros)::bigint as usd_micros, count(*) as calls
    from workflow_tasks t join llm_calls c on c.task_id = t.id
    where t.process = 'hire'
    group by 1
)
select h.agent_id as agent, a.key, a.name, a.title, a.status, h.state, h.reason, h.why, h.decided_by, h.mission_id as mission,
    m.title as mission_title, h.proposed_at, h.decided_at, h.persona, a.persona_version, h.expected_usd_micros,
    coalesce(w.usd_micros, 0) as writing_usd_micros, coalesce(w.calls, 0) as writing_calls,
    (select coalesce(sum(c.cost_usd_micros), 0)::bigint from llm_calls c where c.agent_id = h.agent_id) as work_usd_micros
from org_hires h
join org_agents a on a.id = h.agent_id
left join org_missions m on m.id = h.mission_id
left join writing w on w.key = a.key
where (%(agent)s::uuid is null or h.agent_id = %(agent)s::uuid)
    and (%(mission)s::uuid is null or h.mission_id = %(mission)s::uuid or exists (
        select from workflow_tasks t
        where t.group_id = %(mission)s::uuid and t.process = 'hire' and t.fields ->> 'colleague' = a.key))
order by h.proposed_at desc, a.key
limit %(limit)s::int
