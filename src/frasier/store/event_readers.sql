-- name: begin_reader
-- Begins a reader with the events from now on; nothing if it has begun.
insert into store_event_readers (name, epoch, xid, event_id)
values (%(name)s::text, event_epoch(), pg_snapshot_xmin(pg_current_snapshot())::text::bigint, 0)
on conflict (name) do nothing

-- name: reader_cursor
-- How far a reader has come.
select epoch, xid, event_id as id from store_event_readers where name = %(name)s::text

-- name: advance_reader
-- Stores how far a reader has come.
update store_event_readers
set epoch = %(epoch)s::bigint, xid = %(xid)s::bigint, event_id = %(id)s::bigint, moved_at = frasier_now()
where name = %(name)s::text
