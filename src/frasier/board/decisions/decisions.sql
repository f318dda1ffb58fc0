-- name: ask
-- Ask for a decision, unless exactly the same was asked for before; one that was withdrawn is asked for again.
with asked as (
    insert into board_decisions (id, task_id, transition, version, digest, shown, asked_by)
    values (%(id)s::uuid, %(task_id)s::uuid, %(transition)s::text, %(version)s::int, %(digest)s::text,
            %(shown)s::jsonb, %(by)s::text)
    on conflict (task_id, transition, version, digest) do update
        set withdrawn_at = null, asked_by = excluded.asked_by, asked_at = frasier_now(), reminded_at = null
        where board_decisions.withdrawn_at is not null
    returning id
)
select id from asked

-- name: withdraw_others
-- Withdraw the open requests about the same move of a task that another one replaces.
update board_decisions set withdrawn_at = frasier_now()
where task_id = %(task_id)s::uuid and transition = %(transition)s::text and id <> %(id)s::uuid
  and answer is null and withdrawn_at is null
returning id, version

-- name: last_answer
-- The founder's newest answer about a move of a task.
select answer, comment, answered_at from board_decisions
where task_id = %(task_id)s::uuid and transition = %(transition)s::text and answer is not null
order by answered_at desc limit 1

-- name: existing_decision
-- The decision on exactly the same question.
select id, asked_by, asked_at, answer, comment, answered_at, used_at, withdrawn_at from board_decisions
where task_id = %(task_id)s::uuid and transition = %(transition)s::text and version = %(version)s::int
  and digest = %(digest)s::text

-- name: use_decision
-- Use an approval that was given for exactly this move.
update board_decisions set used_at = frasier_now()
where task_id = %(task_id)s::uuid and transition = %(transition)s::text and version = %(version)s::int
  and digest = %(digest)s::text and answer = 'approved' and used_at is null
returning id, answered_by

-- name: answer
-- Store the founder's answer, unless there is one.
with answered as (
    update board_decisions set answer = %(answer)s::text, comment = %(comment)s::text, answered_by = %(by)s::text,
        answered_at = frasier_now()
    where id = %(id)s::uuid and answer is null and withdrawn_at is null
    returning *
)
select d.id, d.task_id, t.slug, t.title, t.process, t.fields, t.version as task_version, d.transition, d.version,
    d.digest, d.shown, d.asked_by, d.asked_at, d.answer, d.comment, d.answered_by, d.answered_at, d.used_at, d.reminded_at,
    d.withdrawn_at
from answered d join workflow_tasks t on t.id = d.task_id

-- name: get
-- One decision.
select d.id, d.task_id, t.slug, t.title, t.process, t.fields, t.version as task_version, d.transition, d.version,
    d.digest, d.shown, d.asked_by, d.asked_at, d.answer, d.comment, d.answered_by, d.answered_at, d.used_at, d.reminded_at,
    d.withdrawn_at
from board_decisions d join workflow_tasks t on t.id = d.task_id where d.id = %(id)s::uuid

-- name: decisions_like
-- Decisions by the beginning or end of their id: open ones first, then the newest.
select d.id, d.task_id, t.slug, t.title, t.process, t.fields, t.version as task_version, d.transition, d.version,
    d.digest, d.shown, d.asked_by, d.asked_at, d.answer, d.comment, d.answered_by, d.answered_at, d.used_at, d.reminded_at,
    d.withdrawn_at
from board_decisions d join workflow_tasks t on t.id = d.task_id
where %(part)s::text in (left(replace(d.id::text, '-', ''), length(%(part)s::text)),
                         right(replace(d.id::text, '-', ''), length(%(part)s::text)))
order by d.answer is null and d.withdrawn_at is null and t.version = d.version desc, d.num desc limit %(limit)s::int

-- name: asked_of_move
-- The unused decisions on a move of one version of a task: approved ones, then open ones, then the last that
-- was asked for.
select shown -> 'said' as fields, answer from board_decisions
where task_id = %(task_id)s::uuid and transition = %(transition)s::text and version = %(version)s::int
  and used_at is null and withdrawn_at is null
order by answer is not distinct from 'approved' desc, answer is null desc, asked_at desc, num desc

-- name: open
-- The decisions that wait for the founder and are still about the task as it is.
select d.id, d.task_id, t.slug, t.title, t.process, t.fields, t.version as task_version, d.transition, d.version,
    d.digest, d.shown, d.asked_by, d.asked_at, d.answer, d.comment, d.answered_by, d.answered_at, d.used_at, d.reminded_at,
    d.withdrawn_at
from board_decisions d join workflow_tasks t on t.id = d.task_id
where d.answer is null and d.withdrawn_at is null and t.version = d.version
  and (%(group_id)s::uuid is null or t.group_id = %(group_id)s::uuid)
order by d.num

-- name: remind
-- Mark and return the open decisions that were asked for, or reminded of, so long ago that a reminder is due.
with due as (
    select d.id from board_decisions d join workflow_tasks t on t.id = d.task_id
    where d.answer is null and d.withdrawn_at is null and t.version = d.version
      and coalesce(d.reminded_at + make_interval(days => %(days)s::int),
                   d.asked_at + make_interval(days => %(first_days)s::int)) < frasier_now()
    order by d.num for no key update of d skip locked
), reminded as (
    update board_decisions d set reminded_at = frasier_now() from due where d.id = due.id returning d.*
)
select d.id, d.task_id, t.slug, t.title, t.process, t.fields, t.version as task_version, d.transition, d.version,
    d.digest, d.shown, d.asked_by, d.asked_at, d.answer, d.comment, d.answered_by, d.answered_at, d.used_at, d.reminded_at,
    d.withdrawn_at
from reminded d join workflow_tasks t on t.id = d.task_id order by d.num

-- name: asked_by
-- The unused decisions that somebody asked for and that are still about the task as it is.
select d.id, d.task_id, t.slug, t.title, t.process, t.fields, t.version as task_version, d.transition, d.version,
    d.digest, d.shown, d.asked_by, d.asked_at, d.answer, d.comment, d.answered_by, d.answered_at, d.used_at, d.reminded_at,
    d.withdrawn_at
from board_decisions d join workflow_tasks t on t.id = d.task_id
where d.asked_by = %(asked_by)s::text and d.used_at is null and d.withdrawn_at is null and t.version = d.version
order by d.num
