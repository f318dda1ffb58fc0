-- A review of how the parts of several authors fit together, beside those of the craft and the subject.
alter table org_reviews
    drop constraint org_reviews_kind_check,
    add constraint org_reviews_kind_check
        check (kind in ('policy', 'qa', 'lead', 'expert', 'coherence', 'founder'));
