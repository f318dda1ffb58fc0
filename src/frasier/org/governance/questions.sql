-- name: insert_question
-- Asks a question of the founder.
insert into org_questions (id, kind, mission_id, task_id, question, options, bound_to, advice, cause,
                           cause_key, digest)
values (%(id)s::uuid, %(kind)s::text, %(mission_id)s::uuid, %(task_id)s::uuid, %(question)s::text,
        %(options)s::text[], %(bound_to)s::text, %(advice)s::jsonb, %(cause)s::text,
        %(cause_key)s::text, %(digest)s::text)

-- name: open_questions
-- The open questions.
select * from org_questions where answered_at is null and withdrawn_at is null order by asked_at, id

-- name: questions_about
-- Every question about a task.
select * from org_questions where task_id = %(task_id)s::uuid order by asked_at, id

-- name: answered_questions
-- The answered questions of a mission of some kinds, oldest answer first.
select * from org_questions
where mission_id = %(mission_id)s::uuid and kind = any(%(kinds)s::text[]) and answered_at is not null
order by answered_at, id

-- name: get_question
-- One question.
select * from org_questions where id = %(id)s::uuid

-- name: answer_question
-- Stores the answer, once.
update org_questions set answer = %(answer)s::text, note = %(note)s::text, answered_at = frasier_now()
where id = %(id)s::uuid and answered_at is null and withdrawn_at is null

-- name: withdraw_questions
-- Withdraws the questions about a task or a mission that moved on.
update org_questions set withdrawn_at = frasier_now()
where (task_id = %(task_id)s::uuid or mission_id = %(mission_id)s::uuid) and answered_at is null and withdrawn_at is null

-- name: last_settled_at
-- The time when a question about a task was last answered or withdrawn.
select max(coalesce(answered_at, withdrawn_at)) as at from org_questions where task_id = %(task_id)s::uuid
