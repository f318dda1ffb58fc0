-- name: insert_review
-- Requests a review.
insert into org_reviews (id, deliverable_id, step_id, review_task, kind, reviewer, tier, state)
values (%(id)s::uuid, %(deliverable_id)s::uuid, %(step_id)s::uuid, %(review_task)s::uuid, %(kind)s::text,
        %(reviewer)s::uuid, %(tier)s::text, 'pending')

-- name: insert_policy_approval
-- Stores the approval of the policy, with its computed scores.
insert into org_reviews (id, deliverable_id, step_id, kind, state, scores, overall, feedback, reviewed_at)
values (%(id)s::uuid, %(deliverable_id)s::uuid, %(step_id)s::uuid, 'policy', 'approved', %(scores)s::jsonb,
        %(overall)s::float8, %(feedback)s::text, frasier_now())

-- name: store_verdict
-- Stores the verdict, once.
update org_reviews set state = %(state)s::text, scores = %(scores)s::jsonb, overall = %(overall)s::float8,
    feedback = %(feedback)s::text, reviewed_at = frasier_now()
where id = %(id)s::uuid and state = 'pending'

-- name: review_of_task
-- The review of a review task.
select * from org_reviews where review_task = %(review_task)s::uuid

-- name: reviews_of_steps
-- Every review of some steps.
select * from org_reviews where step_id = any(%(step_ids)s::uuid[]) order by created_at, id

-- name: withdraw_reviews
-- Withdraws pending reviews whose deliverable needs no verdict any more.
update org_reviews set state = 'withdrawn' where step_id = %(step_id)s::uuid and state = 'pending'

-- name: insert_question
-- Asks a question of the founder.
insert into org_questions (id, kind, mission_id, task_id, question, options, bound_to, advice)
values (%(id)s::uuid, %(kind)s::text, %(mission_id)s::uuid, %(task_id)s::uuid, %(question)s::text,
        %(options)s::text[], %(bound_to)s::text, %(advice)s::jsonb)

-- name: open_questions
-- The open questions.
select * from org_questions where answered_at is null and withdrawn_at is null order by asked_at, id

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
