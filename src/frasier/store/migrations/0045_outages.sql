-- A run that met an outage of a service is no failed run; until `not_before` the service asked to be left alone.
alter table work_runs add column not_before timestamptz;
alter table work_runs drop constraint work_runs_outcome_check;
alter table work_runs add constraint work_runs_outcome_check check (
    outcome in ('done', 'retry_later', 'outage', 'needs_founder', 'given_up', 'paused', 'lost'));
