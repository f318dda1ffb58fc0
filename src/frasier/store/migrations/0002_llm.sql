-- Every call to a model: intended and reserved before it is made, settled in one piece with its reply.

create table llm_calls (
    id uuid primary key,
    task_id uuid,
    attempt integer not null check (attempt >= 0),
    mission_id uuid,
    agent_id uuid,
    phase text not null,
    purpose text not null check (purpose <> ''),
    tier_asked text not null check (tier_asked in ('T1', 'T2', 'T3')),
    tier_served text not null check (tier_served in ('T1', 'T2', 'T3')),
    provider text not null check (provider <> ''),
    model text not null check (model <> ''),
    state text not null default 'intent' check (state in ('intent', 'settled', 'failed', 'unknown')),
    fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$'),
    reserved_usd_micros bigint not null check (reserved_usd_micros >= 0),
    reserved_tokens bigint not null check (reserved_tokens >= 0),
    cost_usd_micros bigint not null default 0 check (cost_usd_micros >= 0),
    tokens_in integer not null default 0 check (tokens_in >= 0),
    tokens_out integer not null default 0 check (tokens_out >= 0),
    reply_text text,
    finish_reason text,
    degraded boolean generated always as (tier_served < tier_asked) stored,
    rehearsal boolean not null,
    error_code text check (error_code <> ''),
    error text,
    -- The day, in UTC, whose cap the call counts against, however long it takes.
    day date not null default (frasier_now() at time zone 'UTC')::date,
    started_at timestamptz not null default frasier_now(),
    ended_at timestamptz,
    duration_ms integer check (duration_ms >= 0),
    check (tier_served <= tier_asked),
    check ((state = 'intent') = (ended_at is null)),
    check (state <> 'intent' or (cost_usd_micros = 0 and reply_text is null)),
    -- A check holds where it is null, so absence is asked for apart.
    constraint settled_has_an_answer check (state <> 'settled' or (
        reply_text is not null and reply_text ~ '\S'
        and finish_reason is not null and finish_reason = 'stop' and duration_ms is not null)),
    constraint unknown_is_charged_as_reserved
        check (state <> 'unknown' or cost_usd_micros = reserved_usd_micros),
    check ((state in ('failed', 'unknown')) = (error_code is not null))
);
-- A question of a task is in flight or answered at most once: what was paid for is reused, never bought again.
create unique index llm_calls_once on llm_calls (task_id, fingerprint) where state in ('intent', 'settled');
create index llm_calls_task on llm_calls (task_id, started_at);
create index llm_calls_mission on llm_calls (mission_id);
create index llm_calls_day on llm_calls (day);
create index llm_calls_adrift on llm_calls (started_at) where state = 'intent' and task_id is null;

-- The amounts under each cap: locked last, in the order month, day, mission, task.
create table llm_spend (
    scope_kind text not null check (scope_kind in ('month', 'day', 'mission', 'task')),
    scope_key text not null check (scope_key <> ''),
    reserved_usd_micros bigint not null default 0 check (reserved_usd_micros >= 0),
    spent_usd_micros bigint not null default 0 check (spent_usd_micros >= 0),
    reserved_tokens bigint not null default 0 check (reserved_tokens >= 0),
    spent_tokens bigint not null default 0 check (spent_tokens >= 0),
    calls bigint not null default 0 check (calls >= 0),
    primary key (scope_kind, scope_key)
);

-- A mission's own budget, where the founder gave one.
create table llm_budgets (
    mission_id uuid primary key,
    usd_micros bigint not null check (usd_micros >= 0),
    set_at timestamptz not null default frasier_now()
);
