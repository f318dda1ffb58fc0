-- Which of the ready tasks of a group goes first: the one with the longest path of work behind it. Groups stand in the
-- order of their creation, which their ids have, so that none waits for those that came later.
alter table workflow_tasks add column path_length smallint not null default 1;
drop index workflow_tasks_ready;
create index workflow_tasks_ready on workflow_tasks (priority desc, group_id, path_length desc, run_after, num) where ready;

-- What stopped the task that a question is about, without the task's name: questions of one cause are one entry.
alter table org_questions add column cause text not null default '';
