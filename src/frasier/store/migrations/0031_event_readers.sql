-- How far readers of all events have come, by name: the exporter of telemetry is one.
create table store_event_readers (
    name text primary key check (name <> ''),
    epoch bigint not null,
    xid bigint not null,
    event_id bigint not null,
    moved_at timestamptz not null default frasier_now()
);
