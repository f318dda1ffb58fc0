-- name: lock_memories
-- Locks the memories that still exist. Writers of vectors for the same memories wait; the last one wins.
select num, scope, kind from memory_items where num = any(%(nums)s::bigint[]) order by num for no key update

-- name: clear_vectors
-- Deletes the vectors of some memories in a space.
delete from memory_vectors where memory_num = any(%(nums)s::bigint[]) and space_id = %(space)s::smallint

-- name: clear_states
-- Deletes the token states of some memories in a space.
delete from memory_token_states where memory_num = any(%(nums)s::bigint[]) and space_id = %(space)s::smallint

-- name: insert_states
-- Stores token states of existing memories.
insert into memory_token_states (memory_num, space_id, part, states)
select num, %(space)s::smallint, input.part, input.states
from unnest(%(nums)s::bigint[], %(parts)s::smallint[], %(states)s::bytea[]) as input (num, part, states)
join memory_items using (num)

-- name: states_of
-- The token states of some memories, part by part.
select memory_num, states from memory_token_states
where memory_num = any(%(nums)s::bigint[]) and space_id = %(space)s::smallint
order by memory_num, part

-- name: delete_everywhere
-- Deletes vectors and token states of some memories from every space.
with vectors as (
    delete from memory_vectors where memory_num = any(%(nums)s::bigint[])
)
delete from memory_token_states where memory_num = any(%(nums)s::bigint[])

-- name: extent
-- The number of vectors under the keys, counted up to a limit, and the number in the space's index; null without a
-- complete index.
select
    (select count(*) from (
        select from memory_vectors
        where space_id = %(space)s::smallint and scope_key = any(%(keys)s::bigint[]) limit %(limit)s::int
    ) counted) as held,
    (select index.reltuples::bigint from pg_class index join pg_index on indexrelid = index.oid
        where index.oid = to_regclass(%(index)s::text) and indisvalid) as indexed

-- name: nearest_by_scan
-- The best of the nearest vectors under the keys. The bare column matches no index's expression: all are compared.
select m.num, min(near.distance) as distance
from (
    select memory_num, embedding <=> %(vector)s::halfvec as distance
    from memory_vectors
    where space_id = %(space)s::smallint and scope_key = any(%(keys)s::bigint[])
    order by distance limit %(fetch)s::int
) near
join memory_recallable m on m.num = near.memory_num
where m.scope = any(%(scopes)s::text[]) and m.kind = any(%(kinds)s::text[])
    and (%(agent_id)s::uuid is null or m.agent_id = %(agent_id)s::uuid)
group by m.num order by distance, m.num limit %(limit)s::int

-- name: nearest_of_all
-- The best of all vectors under the keys, filtered before comparison: correct however few pass the filter.
select m.num, min(v.embedding <=> %(vector)s::halfvec) as distance
from memory_vectors v join memory_recallable m on m.num = v.memory_num
where v.space_id = %(space)s::smallint and v.scope_key = any(%(keys)s::bigint[])
    and m.scope = any(%(scopes)s::text[]) and m.kind = any(%(kinds)s::text[])
    and (%(agent_id)s::uuid is null or m.agent_id = %(agent_id)s::uuid)
group by m.num order by distance, m.num limit %(limit)s::int

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

-- name: unusable_indexes
-- Indexes of retired or deleted spaces, and those that a crash left half built. PostgreSQL continues a build whose
-- client died.
select index.relname as name from pg_class index join pg_index on indexrelid = index.oid
where indrelid = to_regclass('memory_vectors') and index.relname ~ '^memory_vectors_hnsw_[0-9]+$'
    and not exists (select from pg_stat_progress_create_index building where building.index_relid = index.oid)
    and (not indisvalid or not exists (
        select from memory_spaces
        where state <> 'retired' and index.relname = 'memory_vectors_hnsw_' || memory_spaces.id))

-- name: index_wanted
-- The number of vectors in a used space without an index.
select count(*) as vectors from memory_vectors v join memory_spaces s on s.id = v.space_id
where s.id = %(space)s::smallint and s.state <> 'retired' and to_regclass(%(index)s::text) is null

-- name: building_settings
-- Settings for building: memory for the whole graph up to two gigabytes, because a larger graph is built many times
-- slower. One process: several would share that memory in /dev/shm, of which a container has little.
select set_config('maintenance_work_mem', greatest(
        pg_size_bytes(current_setting('maintenance_work_mem')) / 1024,
        least(%(bytes)s::bigint / 1024, 2097151))::text || 'kB', false),
    set_config('max_parallel_maintenance_workers', '0', false),
    set_config('statement_timeout', '0', false),
    set_config('lock_timeout', '0', false)
