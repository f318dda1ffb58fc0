-- While an outage lasts, every worker asks every few seconds which runs began in the last minute.
create index work_runs_started on work_runs (started_at);
