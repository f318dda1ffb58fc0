-- name: lock_memories
-- Locks the memories that still exist. Writers of vectors for the same memories wait; the last one wins.
select num, scope, kind from memory_items where num = any(%(nums)s::bigint[]) order by num for no key update

-- name: clear_vectors
-- Deletes the vectors of some memories in a space.
delete from memory_vectors where memory_num = any(%(nums)s::bigint[]) and space_id = %(space)s::smallint

-- name: delete_everywhere
-- Deletes vectors and token states of some memories from every space.
with vectors as (
    delete from memory_vectors where memory_num = any(%(nums)s::bigint[])
)
delete from memory_token_states where memory_num = any(%(nums)s::bigint[])

-- name: stats
-- The number and size of a space's vectors, its index included.
select count(*) as count,
    coalesce(sum(pg_column_size(v.*)), 0)::bigint
        + coalesce(pg_relation_size(to_regclass(%(index)s::text)), 0) as bytes
from memory_vectors v where space_id = %(space)s::smallint

-- name: server
-- The versions of PostgreSQL and pgvector.
select current_setting('server_version') as postgresql,
    (select extversion from pg_extension where extname = 'vector') as pgvector

-- name: space_is_used
-- Whether a space exists and is not retired.
select exists (select from memory_spaces where id = %(space)s::smallint and state <> 'retired') as used

-- name: of_period
-- The memories of some scopes and kinds that happened in a period.
select num from memory_recallable m
where m.scope = any(%(scopes)s::text[]) and m.kind = any(%(kinds)s::text[])
    and coalesce(m.occurred_at, m.created_at) <@ %(period)s::tstzrange
