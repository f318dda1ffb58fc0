-- name: insert_trial
-- An upskilling that begins; nothing where one of the agent is open.
insert into org_trials (id, agent_id, trigger, why, studied, task_id, skill, baseline, max_pairs, alpha, minimum_effect,
                        cap_usd_micros, days)
values (%(id)s::uuid, %(agent_id)s::uuid, %(trigger)s::text, %(why)s::text, %(studied)s::uuid[], %(task_id)s::uuid,
        %(skill)s::text, %(baseline)s::int, %(max_pairs)s::int, %(alpha)s::float8, %(minimum_effect)s::float8, %(cap_usd_micros)s::bigint,
        %(days)s::int)

-- name: lock_trial
-- One trial, locked until the transaction ends.
select * from org_trials where id = %(id)s::uuid for no key update

-- name: trial_of_task
-- The trial whose candidate a task writes.
select * from org_trials where task_id = %(task_id)s::uuid

-- name: open_trial_of
-- The trial of an agent that has not ended.
select * from org_trials where agent_id = %(agent_id)s::uuid and ended_at is null

-- name: open_trial_of_skill
-- The trial of a skill that has not ended.
select * from org_trials where skill = %(skill)s::text and ended_at is null

-- name: kept_trial_of
-- The last trial whose version was kept: of a skill, or of the persona of an agent.
select * from org_trials
where state = 'kept' and case when %(skill)s::text is null then skill is null and agent_id = %(agent_id)s::uuid
    else skill = %(skill)s::text end
order by ended_at desc limit 1

-- name: trials_of
-- The trials of an agent, of a skill, or all, newest first.
select * from org_trials
where (%(agent_id)s::uuid is null or agent_id = %(agent_id)s::uuid)
    and (%(skill)s::text is null or skill = %(skill)s::text)
order by created_at desc, id desc limit %(limit)s::int

-- name: find_trials
-- The trials whose ids begin or end with some characters.
select * from org_trials where replace(id::text, '-', '') like %(part)s::text || '%%'
    or replace(id::text, '-', '') like '%%' || %(part)s::text order by created_at desc limit 5

-- name: overdue_trials
-- The trials that have run for longer than their days.
select * from org_trials
where state in ('proposed', 'running') and coalesce(started_at, created_at) + days * interval '1 day' < frasier_now()
order by created_at

-- name: add_candidate
-- The version that a trial is about, and what a pair is expected to cost.
update org_trials set candidate = %(candidate)s::int, hypothesis = %(hypothesis)s::text, state = 'proposed',
    pair_usd_micros = %(pair_usd_micros)s::bigint
where id = %(id)s::uuid and state = 'writing'

-- name: start_trial
-- The beginning of a trial.
update org_trials set state = 'running', started_at = frasier_now() where id = %(id)s::uuid and state = 'proposed'

-- name: end_trial
-- The end of a trial, once.
update org_trials set state = %(state)s::text, outcome = %(outcome)s::text, report = %(report)s::text,
    ended_at = frasier_now()
where id = %(id)s::uuid and ended_at is null

-- name: insert_pair
-- A pair that is to be compared.
insert into org_trial_pairs (trial_id, number, step_id, task_id, source)
values (%(trial_id)s::uuid, %(number)s::int, %(step_id)s::uuid, %(task_id)s::uuid, %(source)s::text)

-- name: pairs_of
-- The pairs of a trial, in the order in which they were taken.
select * from org_trial_pairs where trial_id = %(trial_id)s::uuid order by number

-- name: pair_of_task
-- The pair of a task.
select * from org_trial_pairs where task_id = %(task_id)s::uuid

-- name: store_comparison
-- The scores of a pair, once.
update org_trial_pairs set state = 'compared', before_score = %(before)s::float8, after_score = %(after)s::float8,
    judge = %(judge)s::uuid, note = %(note)s::text, compared_at = frasier_now()
where task_id = %(task_id)s::uuid and state = 'open'

-- name: void_pair
-- A pair that cannot be compared.
update org_trial_pairs set state = 'void', note = %(note)s::text where task_id = %(task_id)s::uuid and state = 'open'
