-- A run that met an outage of a service is no failed run; until `not_before` the service asked to be left alone.
alter table work_runs add column not_before timestamptz;
alter table work_runs drop constraint work_runs_outcome_check;
alter table work_runs add constraint work_runs_outcome_check check (
    outcome in ('done', 'retry_later', 'outage', 'needs_founder', 'given_up', 'paused', 'lost'));

-- A deliverable may be as short as its answer is, if it cites a source or has a few words.
alter table org_deliverables drop constraint org_deliverables_content_check;
alter table org_deliverables add constraint org_deliverables_content_check check (
    length(content) >= 40 or content ~ '\[\d{1,4}[\],;]' or content ~ '(\w+\W+){2}\w');
