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

-- name: last_answer_to
-- The time of the last answer of a model to a task; null if there is none.
select max(ended_at) as at from llm_calls where task_id = %(task_id)s::uuid and state = 'settled'

-- name: silent_services
-- The last failure of those of some providers that were asked and have never answered, if none of them has.
select provider, error from llm_calls
where provider = any(%(providers)s::text[]) and error is not null and not exists (
    select from llm_calls s where s.provider = any(%(providers)s::text[]) and s.state = 'settled')
order by ended_at desc limit 1

-- name: failures_of_tier
-- The last failure of each model that was asked for by some tasks, and in whose place a lower tier answered.
select error from (
    select distinct on (f.model) f.error, f.started_at from llm_calls f
    where f.task_id = any(%(task_ids)s::uuid[]) and f.state in ('failed', 'unknown') and f.tier_served = f.tier_asked
      and exists (
          select from llm_calls s
          where s.task_id = f.task_id and s.purpose = f.purpose and s.tier_asked = f.tier_asked
            and s.degraded and s.state = 'settled')
    order by f.model, f.started_at desc) last
order by started_at

-- name: answers_since
-- For some tasks, the last answer after a moment of a model whose call failed in the last attempt with such a call, or of
-- any model if the task has none: a service that keeps failing is left alone without a call.
with failed as (
    select t.task_id, c.provider, c.model
    from unnest(%(task_ids)s::uuid[]) as t (task_id)
    cross join lateral (
        select l.provider, l.model, rank() over (order by l.attempt desc) as nth from llm_calls l
        where l.task_id = t.task_id and l.state = 'failed' and l.error_code <> 'bad_reply') c
    where c.nth = 1
), answered as (
    select provider, model, max(ended_at) as at from llm_calls
    where day >= (%(since)s::timestamptz at time zone 'UTC')::date - 1 and state = 'settled'
      and ended_at > %(since)s::timestamptz and rehearsal = %(rehearsal)s::boolean
    group by provider, model
)
select t.task_id, max(a.at) as at
from unnest(%(task_ids)s::uuid[]) as t (task_id)
join answered a on not exists (select from failed f where f.task_id = t.task_id)
    or exists (select from failed f where f.task_id = t.task_id and f.provider = a.provider and f.model = a.model)
group by t.task_id

-- name: insert_intent
-- Records a call about to be made; no row if the same question of the task is in flight or answered.
insert into llm_calls (id, task_id, attempt, mission_id, agent_id, phase, purpose, tier_asked, tier_served,
    provider, model, fingerprint, reserved_usd_micros, reserved_tokens, rehearsal, prompt_version)
values (%(id)s::uuid, %(task_id)s::uuid, %(attempt)s::int, %(mission_id)s::uuid, %(agent_id)s::uuid,
    %(phase)s::text, %(purpose)s::text, %(tier_asked)s::text, %(tier_served)s::text, %(provider)s::text,
    %(model)s::text, %(fingerprint)s::text, %(reserved_usd_micros)s::bigint, %(reserved_tokens)s::bigint,
    %(rehearsal)s::boolean, %(prompt_version)s::int)
on conflict (task_id, fingerprint) where state in ('intent', 'settled') do nothing
returning task_id, mission_id, day::text as day, to_char(day, 'YYYY-MM') as month

-- name: close_call
-- Ends an intended call; no row if it has ended already.
update llm_calls set state = %(state)s::text, cost_usd_micros = %(cost_usd_micros)s::bigint,
    tokens_in = %(tokens_in)s::int, tokens_out = %(tokens_out)s::int,
    tokens_cached = %(tokens_cached)s::int, reply_text = %(reply_text)s::text,
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
