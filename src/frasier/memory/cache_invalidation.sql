-- name: note_change
-- Marks the scopes as changed by this transaction. Only appends, so that writers never block each other.
insert into memory_changes (scope) select unnest(%(scopes)s::text[])

-- name: changed_since
-- Whether a transaction outside the snapshot has changed one of the scopes.
select exists (
    select from memory_changes
    where xid >= pg_snapshot_xmin(%(seen)s::pg_snapshot) and not pg_visible_in_snapshot(xid, %(seen)s::pg_snapshot)
        and scope = any(%(scopes)s::text[])
) as changed

-- name: forget_changes
-- Records older than any cached answer lives.
delete from memory_changes where changed_at < frasier_now() - interval '1 hour'
