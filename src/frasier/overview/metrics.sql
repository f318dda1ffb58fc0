-- name: metrics
-- Numbers for monitoring: a metric with its labels on each row, counted over everything that is stored.
select 'missions' as metric, status as first, '' as second, '' as third, count(*)::float8 as value
from org_missions group by status
union all
select 'open_tasks', process, status, '', count(*)::float8 from workflow_tasks where ended_at is null
group by process, status
union all
select 'runs', coalesce(outcome, 'running'), '', '', count(*)::float8 from work_runs group by outcome
union all
select 'calls', model, tier_served, state, count(*)::float8 from llm_calls group by model, tier_served, state
union all
select 'call_seconds', model, tier_served, '', coalesce(sum(duration_ms), 0) / 1000.0 from llm_calls
group by model, tier_served
union all
select 'cost_microdollars', model, tier_served, '', sum(cost_usd_micros)::float8 from llm_calls
group by model, tier_served
union all
select 'tokens', model, tier_served, kind, sum(tokens)::float8 from llm_calls
cross join lateral (values ('input', tokens_in), ('output', tokens_out), ('cached', tokens_cached)) as used (kind, tokens)
group by model, tier_served, kind
order by 1, 2, 3, 4
