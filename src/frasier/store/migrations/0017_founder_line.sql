-- The founder's own verdict on a version, in place of its reviewers'.

alter table org_reviews
    drop constraint org_reviews_kind_check,
    drop constraint reviewer_or_policy,
    add constraint org_reviews_kind_check check (kind in ('policy', 'qa', 'lead', 'expert', 'founder')),
    add constraint reviewer_policy_or_founder check ((kind in ('policy', 'founder')) = (reviewer is null));
