-- name: costs
-- The costs of calls, in total and by tier, model, mission, agent and day.
select case when grouping(tier_served) = 0 then 'tier' when grouping(model) = 0 then 'model'
        when grouping(mission_id) = 0 then 'mission' when grouping(agent_id) = 0 then 'agent'
        when grouping(day) = 0 then 'day' else 'total' end as kind,
    coalesce(tier_served, model, mission_id::text, agent_id::text, day::text, '') as key,
    count(*) as calls,
    coalesce(sum(tokens_in), 0)::bigint as tokens_in,
    coalesce(sum(tokens_out), 0)::bigint as tokens_out,
    coalesce(sum(tokens_cached), 0)::bigint as tokens_cached,
    coalesce(sum(cost_usd_micros), 0)::bigint as usd_micros,
    coalesce(sum(reserved_usd_micros) filter (where state = 'intent'), 0)::bigint as reserved_usd_micros,
    count(*) filter (where state = 'failed') as failed_calls,
    count(*) filter (where state = 'unknown') as unknown_calls,
    count(*) filter (where state = 'settled' and degraded) as degraded_calls,
    count(*) filter (where rehearsal) as rehearsal_calls
from llm_calls
where (%(since)s::date is null or day >= %(since)s::date)
    and (%(mission_id)s::uuid is null or mission_id = %(mission_id)s::uuid)
group by grouping sets ((tier_served), (model), (mission_id), (agent_id), (day), ())
order by kind, key

-- name: calls_of
-- Every call of a task or of a whole mission, oldest first.
select id, task_id, attempt, phase, purpose, tier_asked, tier_served, provider, model, state, cost_usd_micros,
    reserved_usd_micros, prompt_version, tokens_in, tokens_out, tokens_cached, degraded, rehearsal, finish_reason, error_code, error,
    started_at, ended_at, duration_ms
from llm_calls where task_id = %(task_id)s::uuid or mission_id = %(mission_id)s::uuid order by started_at, id

-- name: spends_of_missions
-- The totals of the caps of some missions, and their own budgets.
select m.id as mission_id, coalesce(s.reserved_usd_micros, 0) as reserved_usd_micros,
    coalesce(s.spent_usd_micros, 0) as spent_usd_micros,
    coalesce(s.reserved_tokens + s.spent_tokens, 0) as tokens, coalesce(s.calls, 0) as calls,
    b.usd_micros as budget_usd_micros, b.depth_usd_micros as depth_budget_usd_micros
from unnest(%(mission_ids)s::uuid[]) as m (id)
left join llm_spend s on s.scope_kind = 'mission' and s.scope_key = m.id::text
left join llm_budgets b on b.mission_id = m.id

-- name: spend_before
-- The totals of a mission's calls that began before a moment, counted as its caps count them: without those that never ran.
select count(*) filter (where state <> 'failed' or tokens_in + tokens_out > 0) as calls,
    coalesce(sum(cost_usd_micros), 0)::bigint as usd_micros,
    coalesce(sum(case when state in ('intent', 'unknown') then reserved_tokens else tokens_in + tokens_out end),
        0)::bigint as tokens
from llm_calls where mission_id = %(mission_id)s::uuid and started_at < %(moment)s::timestamptz

-- name: caps_now
-- The totals of the caps of this day and this month.
select scope.kind as scope, scope.key, coalesce(s.spent_usd_micros, 0) as spent_usd_micros,
    coalesce(s.reserved_usd_micros, 0) as reserved_usd_micros, coalesce(s.calls, 0) as calls
from (values ('day', to_char(frasier_now() at time zone 'UTC', 'YYYY-MM-DD')),
             ('month', to_char(frasier_now() at time zone 'UTC', 'YYYY-MM'))) as scope (kind, key)
left join llm_spend s on s.scope_kind = scope.kind and s.scope_key = scope.key
order by scope.kind

-- name: spend_by_task
-- The calls and dollars of each task of a mission, counted as its caps count them, and its oldest call in flight.
select task_id, count(*) filter (where state <> 'failed' or tokens_in + tokens_out > 0) as calls,
    coalesce(sum(cost_usd_micros), 0)::bigint as spent_usd_micros,
    min(started_at) filter (where state = 'intent') as asking_since,
    (array_agg(model order by started_at, id) filter (where state = 'intent'))[1] as asking
from llm_calls where mission_id = %(mission_id)s::uuid and task_id is not null group by task_id

-- name: unanswered_calls
-- The number of a mission's calls that its caps do not count, as they certainly never ran.
select count(*) as calls from llm_calls
where mission_id = %(mission_id)s::uuid and state = 'failed' and tokens_in + tokens_out = 0

-- name: spend_of_tasks
-- What some tasks have spent and reserved so far, of those that asked a model.
select scope_key::uuid as task_id, spent_usd_micros + reserved_usd_micros as usd_micros from llm_spend
where scope_kind = 'task' and scope_key = any(%(task_ids)s::text[])

-- name: usual_replies
-- The medians of the time and length of models' replies by purpose, over the newest answered calls of a month.
select purpose, model, percentile_cont(0.5) within group (order by duration_ms) / 1000.0 as seconds,
    percentile_disc(0.5) within group (order by tokens_out) as tokens_out
from (
    select purpose, model, duration_ms, tokens_out from llm_calls
    where model = any(%(models)s::text[]) and state = 'settled' and duration_ms is not null
        and tokens_out is not null and day > (frasier_now() at time zone 'UTC')::date - 30
    order by started_at desc limit 2000
) newest
group by purpose, model having count(*) >= %(calls_min)s::int
