-- name: insert_review
-- Requests a review.
insert into org_reviews (id, deliverable_id, step_id, review_task, kind, reviewer, tier, choice, state)
values (%(id)s::uuid, %(deliverable_id)s::uuid, %(step_id)s::uuid, %(review_task)s::uuid, %(kind)s::text,
        %(reviewer)s::uuid, %(tier)s::text, %(choice)s::text, 'pending')

-- name: insert_waived_review
-- A review that nobody in the house can give, with the reason.
insert into org_reviews (id, deliverable_id, step_id, kind, state, feedback, reviewed_at)
values (%(id)s::uuid, %(deliverable_id)s::uuid, %(step_id)s::uuid, %(kind)s::text, 'waived', %(reason)s::text,
        frasier_now())

-- name: waive_review
-- Waives a review that was asked for and is not given.
update org_reviews set state = 'waived', reviewer = null, feedback = %(reason)s::text, reviewed_at = frasier_now()
where id = %(id)s::uuid and state = 'pending'

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
    feedback = %(feedback)s::text, passages = %(passages)s::jsonb, invented = %(invented)s::int,
    changes = %(changes)s::text, degraded = %(degraded)s::boolean, reviewed_at = frasier_now()
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
update org_reviews set reviewer = %(reviewer)s::uuid, choice = %(choice)s::text
where id = %(id)s::uuid and state = 'pending'

-- name: withdraw_reviews
-- Withdraws pending reviews whose deliverable needs no verdict any more.
update org_reviews set state = 'withdrawn' where step_id = %(step_id)s::uuid and state = 'pending'

-- name: set_review_aside
-- Lets a verdict not count any more; what it says is kept.
update org_reviews set state = 'set_aside' where id = %(id)s::uuid and state in ('approved', 'rejected')

-- name: mark_review
-- What became of a review; a later judgement of the same kind takes the place of the one before.
insert into org_review_marks (review_id, cause, digest, agrees, detail, actor)
values (%(review_id)s::uuid, %(cause)s::text, %(digest)s::text, %(agrees)s::boolean, %(detail)s::text,
        %(actor)s::text)
on conflict (review_id, cause) do update set agrees = excluded.agrees, digest = excluded.digest,
    detail = excluded.detail, actor = excluded.actor, at = excluded.at

-- name: review_records
-- For each agent, how many verdicts it gave, how many of these were marked, and with how many every mark agrees.
select r.reviewer, count(*) as given, count(marked.review_id) as marked,
    count(*) filter (where marked.agreed) as agreed
from org_reviews r
left join (
    select review_id, bool_and(agrees) as agreed from org_review_marks group by review_id
) marked on marked.review_id = r.id
where r.reviewer = any(%(agent_ids)s::uuid[]) and r.state in ('approved', 'rejected')
group by r.reviewer
