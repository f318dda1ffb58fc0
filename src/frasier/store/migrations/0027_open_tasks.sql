-- What is open is read with every page and state, and is soon a small part of all tasks.
create index workflow_tasks_open on workflow_tasks (group_id) where ended_at is null;
