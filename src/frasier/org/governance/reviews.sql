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

-- name: insert_founder_verdict
-- Stores the founder's own verdict, which gives a reason and no scores.
insert into org_reviews (id, deliverable_id, step_id, kind, state, scores, feedback, reviewed_at)
values (%(id)s::uuid, %(deliverable_id)s::uuid, %(step_id)s::uuid, 'founder', %(state)s::text, '{}',
        %(feedback)s::text, frasier_now())

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

-- name: pending_reviews_of
-- The reviews that a reviewer has not given yet.
select * from org_reviews where reviewer = %(reviewer)s::uuid and state = 'pending' order by created_at, id

-- name: give_review
-- Gives a review that nobody has given yet to another reviewer.
update org_reviews set reviewer = %(reviewer)s::uuid where id = %(id)s::uuid and state = 'pending'

-- name: withdraw_reviews
-- Withdraws pending reviews whose deliverable needs no verdict any more.
update org_reviews set state = 'withdrawn' where step_id = %(step_id)s::uuid and state = 'pending'

-- name: set_review_aside
-- Lets a verdict not count any more; what it says is kept.
update org_reviews set state = 'set_aside' where id = %(id)s::uuid and state in ('approved', 'rejected')
