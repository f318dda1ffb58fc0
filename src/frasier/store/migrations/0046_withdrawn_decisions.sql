-- A request for a decision that another one about the same move of the same task has replaced.
alter table board_decisions add column withdrawn_at timestamptz;
