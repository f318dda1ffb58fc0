-- The epoch of events: the cluster, its timeline and the database that they are made in, as one number that is not negative.
-- Transaction ids count within one cluster; those of a dump that is restored mean nothing there, and a server that is set
-- back to an earlier moment gives some a second time, on another timeline.
create or replace function event_epoch() returns bigint language sql stable
    return (
        select hashtextextended(
            concat_ws('-', s.system_identifier, c.timeline_id, (
                select d.oid from pg_catalog.pg_database d where d.datname = current_database())), 0)
            & 9223372036854775807
        from pg_catalog.pg_control_system() s, pg_catalog.pg_control_checkpoint() c);
