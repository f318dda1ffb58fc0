-- The founder's own verdict on a version, in place of its reviewers'.

alter table org_reviews
    drop constraint org_reviews_kind_check,
    drop constraint reviewer_or_policy,
    add constraint org_reviews_kind_check check (kind in ('policy', 'qa', 'lead', 'expert', 'founder')),
    add constraint reviewer_policy_or_founder check ((kind in ('policy', 'founder')) = (reviewer is null));

-- What the runs of a task read, found and wrote, a line each, for whoever watches.
create table work_activity (
    id bigint generated always as identity primary key,
    task_id uuid not null references workflow_tasks on delete cascade,
    attempt integer not null,
    phase text not null,
    text text not null check (text <> ''),
    at timestamptz not null default frasier_clock()
);
create index work_activity_task on work_activity (task_id, id);

-- What caused a question, the same for all that it stopped, whatever each says: these are one entry, across missions.
alter table org_questions add column cause_key text not null default '';
