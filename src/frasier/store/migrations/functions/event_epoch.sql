-- The epoch of events: the identity of the cluster that they are made in. Transaction ids count within one cluster; a dump that
-- is restored into another brings events whose ids mean nothing there.
create or replace function event_epoch() returns bigint language sql stable
    return (select system_identifier from pg_catalog.pg_control_system());
