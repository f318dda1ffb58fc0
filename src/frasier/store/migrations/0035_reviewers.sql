-- The choice of reviewers by the subject of the work, what they quote, and what became of their reviews.

-- An identity for tests is given no work and never reviews.
alter table org_agents add column is_test boolean not null default false;

-- What whoever judges the result of a step must know, such as "German tax law"; empty where the role says enough.
alter table org_steps add column subject text not null default '';

-- Who wrote a version: steps are handed over, and nobody judges what they wrote.
alter table org_deliverables add column author uuid references org_agents;
alter table org_deliverables disable trigger deliverables_are_kept;
update org_deliverables d set author = s.agent_id from org_steps s where s.task_id = d.task_id;
alter table org_deliverables enable trigger deliverables_are_kept;
alter table org_deliverables alter column author set not null;

-- A review is waived where nobody in the house can give it; its feedback says why. `choice` is why this reviewer was
-- chosen, `passages` what the review quotes, `invented` how many quotations were in no text, and `changes` what the
-- reviewer found changed since the version before.
alter table org_reviews
    add column choice text not null default '',
    add column passages jsonb not null default '[]',
    add column invented integer not null default 0 check (invented >= 0),
    add column changes text not null default '',
    drop constraint org_reviews_state_check,
    drop constraint verdict_has_a_reason,
    drop constraint reviewer_policy_or_founder,
    add constraint org_reviews_state_check
        check (state in ('pending', 'approved', 'rejected', 'withdrawn', 'set_aside', 'waived')),
    add constraint verdict_has_a_reason check (state in ('pending', 'withdrawn')
        or (feedback is not null and feedback <> '' and reviewed_at is not null
            and (state = 'waived' or scores is not null))),
    add constraint reviewer_policy_or_founder
        check ((kind in ('policy', 'founder') or state = 'waived') = (reviewer is null));

-- What became of a review: whether a later judgement of the same content agrees with it.
create table org_review_marks (
    review_id uuid not null references org_reviews,
    cause text not null check (cause in ('founder', 'colleague', 'correction')),
    -- The content that the review judged, by its SHA-256.
    digest text not null,
    agrees boolean not null,
    detail text not null default '',
    actor text not null,
    at timestamptz not null default frasier_now(),
    primary key (review_id, cause)
);
