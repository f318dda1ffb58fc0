-- A pause keeps until when its task was held: a lease that had run out before it is not given anew at its end.
alter table workflow_blocks add column lease_until timestamptz;

-- Until when the end of a pause gave the task back to whoever held it. As long as that is its lease, they have not gone
-- on, and are told that they can.
alter table workflow_tasks add column restored_until timestamptz;
