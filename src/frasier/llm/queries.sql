-- name: find_answer
-- The answer that was paid for already, if any.
select id, reply_text, tier_asked, tier_served, provider, model, tokens_in, tokens_out, duration_ms, rehearsal
from llm_calls
where task_id = %(task_id)s::uuid and fingerprint = %(fingerprint)s::text and state = 'settled'

-- name: unusable_replies
-- The unusable replies to a question of a task since a moment, oldest first.
select provider, model, reply_text, finish_reason, tokens_out, error
from llm_calls
where task_id = %(task_id)s::uuid and fingerprint = %(fingerprint)s::text and error_code = 'bad_reply'
    and (%(since)s::timestamptz is null or started_at > %(since)s::timestamptz)
order by started_at, id

-- name: insert_intent
-- Records a call about to be made; no row if the same question of the task is in flight or answered.
insert into llm_calls (id, task_id, attempt, mission_id, agent_id, phase, purpose, tier_asked, tier_served,
    provider, model, fingerprint, reserved_usd_micros, reserved_tokens, rehearsal)
values (%(id)s::uuid, %(task_id)s::uuid, %(attempt)s::int, %(mission_id)s::uuid, %(agent_id)s::uuid,
    %(phase)s::text, %(purpose)s::text, %(tier_asked)s::text, %(tier_served)s::text, %(provider)s::text,
    %(model)s::text, %(fingerprint)s::text, %(reserved_usd_micros)s::bigint, %(reserved_tokens)s::bigint,
    %(rehearsal)s::boolean)
on conflict (task_id, fingerprint) where state in ('intent', 'settled') do nothing
returning task_id, mission_id, day::text as day, to_char(day, 'YYYY-MM') as month

-- name: mission_budget
-- The mission's own budget, if it has one.
select usd_micros from llm_budgets where mission_id = %(mission_id)s::uuid

-- name: set_mission_budget
-- Gives a mission a budget of its own.
insert into llm_budgets (mission_id, usd_micros) values (%(mission_id)s::uuid, %(usd_micros)s::bigint)
on conflict (mission_id) do update set usd_micros = excluded.usd_micros, set_at = frasier_now()

-- name: reserve
-- Adds a call to its caps, locking them in the given order, and returns their totals.
insert into llm_spend (scope_kind, scope_key, reserved_usd_micros, reserved_tokens, calls)
select kind, key, %(usd_micros)s::bigint, %(tokens)s::bigint, 1
from unnest(%(kinds)s::text[], %(keys)s::text[]) with ordinality as scope (kind, key, place)
order by place
on conflict (scope_kind, scope_key) do update set
    reserved_usd_micros = llm_spend.reserved_usd_micros + excluded.reserved_usd_micros,
    reserved_tokens = llm_spend.reserved_tokens + excluded.reserved_tokens,
    calls = llm_spend.calls + excluded.calls
returning scope_kind, reserved_usd_micros, spent_usd_micros, reserved_tokens, spent_tokens, calls

-- name: lock_scopes
-- Locks caps in the given order.
select s.scope_kind, s.scope_key
from unnest(%(kinds)s::text[], %(keys)s::text[]) with ordinality as scope (kind, key, place)
join llm_spend s on s.scope_kind = scope.kind and s.scope_key = scope.key
order by place for update of s

-- name: move_to_spent
-- Releases the reservation and books the spending; the caps are locked already.
update llm_spend s set
    reserved_usd_micros = s.reserved_usd_micros - moved.reserved_usd_micros,
    spent_usd_micros = s.spent_usd_micros + moved.spent_usd_micros,
    reserved_tokens = s.reserved_tokens - moved.reserved_tokens,
    spent_tokens = s.spent_tokens + moved.spent_tokens,
    calls = s.calls - moved.released_calls
from unnest(%(kinds)s::text[], %(keys)s::text[], %(reserved_usd_micros)s::bigint[],
        %(spent_usd_micros)s::bigint[], %(reserved_tokens)s::bigint[], %(spent_tokens)s::bigint[],
        %(released_calls)s::bigint[])
    as moved (kind, key, reserved_usd_micros, spent_usd_micros, reserved_tokens, spent_tokens, released_calls)
where s.scope_kind = moved.kind and s.scope_key = moved.key

-- name: close_call
-- Ends an intended call; no row if it has ended already.
update llm_calls set state = %(state)s::text, cost_usd_micros = %(cost_usd_micros)s::bigint,
    tokens_in = %(tokens_in)s::int, tokens_out = %(tokens_out)s::int, reply_text = %(reply_text)s::text,
    finish_reason = %(finish_reason)s::text, error_code = %(error_code)s::text, error = %(error)s::text,
    duration_ms = %(duration_ms)s::int, ended_at = frasier_clock()
where id = %(id)s::uuid and state = 'intent'
returning task_id, mission_id, day::text as day, to_char(day, 'YYYY-MM') as month,
    reserved_usd_micros, reserved_tokens

-- name: doubt_call
-- Ends an intended call with an unknown outcome, charging its reservation.
update llm_calls set state = 'unknown', cost_usd_micros = reserved_usd_micros,
    error_code = %(error_code)s::text, error = %(error)s::text, ended_at = frasier_clock()
where id = %(id)s::uuid and state = 'intent'
returning task_id, mission_id, day::text as day, to_char(day, 'YYYY-MM') as month,
    reserved_usd_micros, reserved_tokens

-- name: doubt_calls_of_task
-- Ends likewise the calls that earlier attempts of a task left open, and calls without a task whose process died.
update llm_calls set state = 'unknown', cost_usd_micros = reserved_usd_micros,
    error_code = 'outcome_unknown', error = 'the worker ended before the reply was stored',
    ended_at = frasier_clock()
where state = 'intent' and ((task_id = %(task_id)s::uuid and attempt < %(before_attempt)s::int)
    or (task_id is null and started_at < frasier_now() - interval '2 hours'))
returning task_id, mission_id, day::text as day, to_char(day, 'YYYY-MM') as month,
    reserved_usd_micros, reserved_tokens

-- name: disown_answer
-- Marks a paid answer that the current rules refuse.
update llm_calls set state = 'failed', error_code = 'bad_reply', error = %(error)s::text
where id = %(id)s::uuid and state = 'settled'

-- name: costs
-- The costs of calls, in total and by tier, model, mission and day.
select case when grouping(tier_served) = 0 then 'tier' when grouping(model) = 0 then 'model'
        when grouping(mission_id) = 0 then 'mission' when grouping(day) = 0 then 'day' else 'total' end as kind,
    coalesce(tier_served, model, mission_id::text, day::text, '') as key,
    count(*) as calls,
    coalesce(sum(tokens_in), 0)::bigint as tokens_in,
    coalesce(sum(tokens_out), 0)::bigint as tokens_out,
    coalesce(sum(cost_usd_micros), 0)::bigint as usd_micros,
    coalesce(sum(reserved_usd_micros) filter (where state = 'intent'), 0)::bigint as reserved_usd_micros,
    count(*) filter (where state = 'failed') as failed_calls,
    count(*) filter (where state = 'unknown') as unknown_calls,
    count(*) filter (where state = 'settled' and degraded) as degraded_calls,
    count(*) filter (where rehearsal) as rehearsal_calls
from llm_calls
where (%(since)s::date is null or day >= %(since)s::date)
    and (%(mission_id)s::uuid is null or mission_id = %(mission_id)s::uuid)
group by grouping sets ((tier_served), (model), (mission_id), (day), ())
order by kind, key

-- name: calls_of
-- Every call of a task or of a whole mission, oldest first.
select id, task_id, attempt, phase, purpose, tier_asked, tier_served, provider, model, state, cost_usd_micros,
    reserved_usd_micros, tokens_in, tokens_out, degraded, rehearsal, finish_reason, error_code, error,
    started_at, ended_at, duration_ms
from llm_calls where task_id = %(task_id)s::uuid or mission_id = %(mission_id)s::uuid order by started_at, id

-- name: spend_of_mission
-- The totals of a mission's caps, and its own budget.
select coalesce(s.reserved_usd_micros, 0) as reserved_usd_micros,
    coalesce(s.spent_usd_micros, 0) as spent_usd_micros,
    coalesce(s.reserved_tokens + s.spent_tokens, 0) as tokens, coalesce(s.calls, 0) as calls,
    b.usd_micros as budget_usd_micros
from (select %(mission_id)s::uuid as id) m
left join llm_spend s on s.scope_kind = 'mission' and s.scope_key = m.id::text
left join llm_budgets b on b.mission_id = m.id

-- name: caps_now
-- The totals of the caps of this day and this month.
select scope.kind as scope, scope.key, coalesce(s.spent_usd_micros, 0) as spent_usd_micros,
    coalesce(s.reserved_usd_micros, 0) as reserved_usd_micros, coalesce(s.calls, 0) as calls
from (values ('day', to_char(frasier_now() at time zone 'UTC', 'YYYY-MM-DD')),
             ('month', to_char(frasier_now() at time zone 'UTC', 'YYYY-MM'))) as scope (kind, key)
left join llm_spend s on s.scope_kind = scope.kind and s.scope_key = scope.key
order by scope.kind
