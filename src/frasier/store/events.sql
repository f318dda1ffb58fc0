-- name: append_event
-- Adds one event to its stream's chain.
select append_event(%(stream)s::uuid, %(kind)s::text, %(actor)s::text, %(payload)s::jsonb)

-- name: events_of_each
-- The events of some streams, each oldest first, without the kinds that match a pattern.
select id, stream, seq, at, kind, actor, payload, epoch, xid::text::bigint as xid from events
where stream = any(%(streams)s::uuid[]) and not kind like any(%(without)s::text[])
order by stream, seq

-- name: read_events_after
-- The next events of this epoch after a cursor. Only those of transactions below the lower bound of the running ones:
-- nothing can appear before these any more.
select id, stream, seq, at, kind, actor, payload, epoch, xid::text::bigint as xid from events
where epoch = event_epoch() and (xid, id) > (%(xid)s::text::xid8, %(id)s::bigint)
    and xid < pg_snapshot_xmin(pg_current_snapshot())
order by xid, id limit %(limit)s::int

-- name: events_of_epoch_after
-- The next events of an epoch that is over.
select id, stream, seq, at, kind, actor, payload, epoch, xid::text::bigint as xid from events
where epoch = %(epoch)s::bigint and (xid, id) > (%(xid)s::text::xid8, %(id)s::bigint)
order by xid, id limit %(limit)s::int

-- name: epoch_after
-- The epoch in which events were made after those of another epoch, or else the present one.
select coalesce((
    select epoch from events
    where id > greatest(%(id)s::bigint, (select max(id) from events where epoch = %(epoch)s::bigint))
        and epoch <> %(epoch)s::bigint
    order by id limit 1), event_epoch()) as epoch

-- name: knows_cursor
-- Whether a cursor is of this epoch, not ahead of it, and, where it names an event, of one that is here. A copy of the files
-- of a server from an earlier time has the same epoch, and gives the same transaction ids again.
select %(epoch)s::bigint = event_epoch()
    and %(xid)s::bigint <= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    and (%(id)s::bigint = 0 or exists(
        select from events
        where epoch = %(epoch)s::bigint and xid = %(xid)s::text::xid8 and id = %(id)s::bigint)) as known

-- name: has_unsettled_events
-- Whether there are events of transactions at or above the lower bound of the running ones.
select exists(
    select from events
    where epoch = event_epoch() and xid >= pg_snapshot_xmin(pg_current_snapshot())) as unsettled

-- name: events_of_kind
-- The next events of a kind by id, of any epoch.
select id, stream, seq, at, kind, actor, payload, epoch, xid::text::bigint as xid from events
where kind = %(kind)s::text and id > %(after)s::bigint order by id limit %(limit)s::int

-- name: current_cursor
-- The epoch, and the lower bound of the running transactions: everything before it has ended.
select event_epoch() as epoch, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xid

-- name: make_event_partitions
-- Creates the partitions of this month and some months after it.
select make_event_partitions(%(months)s::int) as made

-- name: events_of_stream
-- One stream's events in order.
select id, stream, seq, at, kind, actor, payload, epoch, xid::text::bigint as xid from events
where stream = %(stream)s::uuid order by seq

-- name: newest_events
-- The newest events, oldest first: of all streams or of some; where a transaction or an event is named, only those before
-- it; of a kind and an actor by the beginning of their names.
select id, stream, seq, at, kind, actor, payload, epoch, xid::text::bigint as xid from (
    select * from events
    where (%(streams)s::uuid[] is null or stream = any(%(streams)s::uuid[]))
        and (%(before)s::text is null or xid < %(before)s::text::xid8 or epoch <> event_epoch())
        and (%(before_id)s::bigint is null or id < %(before_id)s::bigint)
        and (%(kind)s::text is null or starts_with(kind, %(kind)s::text))
        and (%(actor)s::text is null or starts_with(actor, %(actor)s::text))
    order by id desc limit %(limit)s::int
) newest order by id
