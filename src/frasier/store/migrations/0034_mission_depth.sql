-- The depth to which the founder wants a mission carried out; without one the planner chooses it.
alter table org_missions
    add column depth text check (depth in ('simple', 'standard', 'deep'));
