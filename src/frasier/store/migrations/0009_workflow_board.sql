-- Processes of any statuses: how a task is over no longer follows from the name of its status. And what an agent was
-- shown can be told from what is there now: every change of a task makes a new version of it.

alter table workflow_tasks
    add column outcome text check (outcome in ('completed', 'failed', 'cancelled')),
    add column version integer not null default 1 check (version > 0);
update workflow_tasks set outcome = status where ended_at is not null;

alter table workflow_tasks
    drop constraint ended_means_over,
    drop constraint completed_has_a_result,
    drop constraint failed_has_a_reason,
    drop constraint only_failures_cascade,
    add constraint ended_means_over check ((outcome is not null) = (ended_at is not null)),
    add constraint completed_has_a_result
        check (outcome is distinct from 'completed' or (result_digest is not null and result_size is not null)),
    add constraint failed_has_a_reason check ((outcome is not distinct from 'failed') = (failure is not null)),
    add constraint only_failures_cascade check (not cascaded or outcome is not distinct from 'failed');

create or replace view workflow_v_results as
    select id, group_id, result_digest from workflow_tasks where outcome = 'completed';
