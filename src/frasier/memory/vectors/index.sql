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
