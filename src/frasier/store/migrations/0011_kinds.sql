-- The kind of a deliverable: the one that the founder asks for, if any, and the one that a final step makes.

alter table org_missions add column kind text
    check (kind in ('report', 'answer', 'comparison', 'decision_paper', 'plan', 'content', 'data'));
alter table org_steps add column kind text
    check (kind in ('report', 'answer', 'comparison', 'decision_paper', 'plan', 'content', 'data'));
