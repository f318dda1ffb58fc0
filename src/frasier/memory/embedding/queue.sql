-- name: owe_range
-- Enqueues the next memories by number for a space, done or not; returns the last number.
with next as materialized (
    select num, scope, kind <> 'marker' and tier <> 'deprecated' and archived_at is null as embeddable
    from memory_items where num > %(after)s::bigint order by num limit %(limit)s::int
), owed as (
    insert into memory_embedding_jobs (memory_num, space_id, scope)
    select num, %(space)s::smallint, scope from next where embeddable
    on conflict do nothing
)
select max(num) as last from next

-- name: owe_missing
-- Enqueues memories with neither a vector nor a job in a used space: they were saved while it was opened.
insert into memory_embedding_jobs (memory_num, space_id, scope)
select m.num, s.id, m.scope from memory_spaces s cross join memory_items m
where s.state <> 'retired' and m.kind <> 'marker' and m.tier <> 'deprecated' and m.archived_at is null
    and not exists (select from memory_vectors v where v.memory_num = m.num and v.space_id = s.id)
    and not exists (select from memory_embedding_jobs j where j.memory_num = m.num and j.space_id = s.id)
on conflict do nothing

-- name: owe_vectors
-- Enqueues some memories for every used space; existing jobs start over.
insert into memory_embedding_jobs (memory_num, space_id, scope)
select m.num, s.id, m.scope from memory_items m cross join memory_spaces s
where m.num = any(%(nums)s::bigint[]) and s.state <> 'retired'
    and m.kind <> 'marker' and m.tier <> 'deprecated' and m.archived_at is null
order by m.num, s.id
on conflict (memory_num, space_id) do update
    set attempts = 0, failed = false, reason = '', next_try_at = frasier_now(), created_at = frasier_now()

-- name: deleted_memories
-- Those of some memories that are deleted.
select held.num from unnest(%(nums)s::bigint[]) as held (num)
where not exists (select from memory_items m where m.num = held.num) order by held.num

-- name: owe_unheld
-- Enqueues memories of a range of numbers that a used space lacks and that have no job.
insert into memory_embedding_jobs (memory_num, space_id, scope)
select m.num, s.id, m.scope from memory_spaces s cross join memory_items m
where s.id = %(space)s::smallint and s.state <> 'retired'
    and m.num > %(after)s::bigint and (%(until)s::bigint is null or m.num <= %(until)s::bigint)
    and m.kind <> 'marker' and m.tier <> 'deprecated' and m.archived_at is null
    and not exists (select from unnest(%(held)s::bigint[]) as held (num) where held.num = m.num)
    and not exists (select from memory_embedding_jobs j where j.memory_num = m.num and j.space_id = s.id)
on conflict do nothing

-- name: owes_anything
-- Whether a space has jobs that are not final failures.
select exists (select from memory_embedding_jobs where space_id = %(space)s::smallint and not failed) as owed

-- name: claim_due
-- Claims the jobs that are longest due, for five minutes, and returns their memories: all or only those listed, of any
-- length or up to a number of bytes.
with due as materialized (
    select memory_num from memory_embedding_jobs
    where space_id = %(space)s::smallint and not failed and next_try_at <= frasier_now()
        and (%(only)s::uuid[] is null or memory_num in (
            select num from memory_items where id = any(%(only)s::uuid[])))
        and (%(longest)s::int is null or (
            select octet_length(content) from memory_items where num = memory_num) <= %(longest)s::int)
    order by next_try_at, memory_num limit %(limit)s::int for update skip locked
), claimed as (
    update memory_embedding_jobs j set next_try_at = frasier_now() + interval '5 minutes'
    from due where j.memory_num = due.memory_num and j.space_id = %(space)s::smallint
)
select m.*, m.kind <> 'marker' and m.tier <> 'deprecated' and m.archived_at is null as embeddable
from due join memory_attributes m on m.num = due.memory_num
order by m.num

-- name: turns_before
-- The preceding turns in the same thread: for each memory the last ones, oldest first.
select m.num as before_num, turn.*
from memory_items m cross join lateral (
    select * from memory_attributes
    where scope = m.scope and thread = m.thread and num < m.num
        and tier <> 'deprecated' and archived_at is null
    order by num desc limit %(turns)s::int
) turn
where m.num = any(%(nums)s::bigint[]) and m.thread is not null
order by m.num, turn.num

-- name: lock_unchanged
-- Locks the memories whose content is still what was encoded; those being changed at this moment are skipped.
select m.num from memory_items m
join unnest(%(nums)s::bigint[], %(versions)s::int[], %(hashes)s::bytea[]) as input (num, version, content_hash)
    using (num)
where m.version = input.version and m.content_hash = input.content_hash
    and m.tier <> 'deprecated' and m.archived_at is null
    and exists (select from memory_spaces where id = %(space)s::smallint and state <> 'retired')
order by m.num for no key update of m skip locked

-- name: settle_jobs
-- Deletes jobs whose vectors are stored or no longer needed.
delete from memory_embedding_jobs
where space_id = %(space)s::smallint and memory_num = any(%(nums)s::bigint[])

-- name: release_jobs
-- Releases claimed jobs for a retry at once, without counting a failure.
update memory_embedding_jobs set next_try_at = frasier_now(), reason = %(reason)s::text
where space_id = %(space)s::smallint and memory_num = any(%(nums)s::bigint[]) and next_try_at > frasier_now()

-- name: fail_jobs
-- Counts a failed attempt of claimed jobs; after the last wait the next failure is final.
update memory_embedding_jobs j
set attempts = j.attempts + 1, reason = input.reason,
    failed = j.attempts >= cardinality(%(waits_min)s::int[]),
    next_try_at = frasier_now()
        + make_interval(mins => coalesce((%(waits_min)s::int[])[j.attempts + 1], 0))
from unnest(%(nums)s::bigint[], %(reasons)s::text[]) as input (num, reason)
where j.space_id = %(space)s::smallint and j.memory_num = input.num and j.next_try_at > frasier_now()

-- name: retry_failed
-- Makes jobs that failed or wait after a failure due now.
update memory_embedding_jobs j set attempts = 0, failed = false, next_try_at = frasier_now()
from memory_items m
where m.num = j.memory_num and (j.failed or j.attempts > 0)
    and (%(scope)s::text is null or m.scope = %(scope)s::text)

-- name: status
-- The backlog of a space.
select count(*) filter (where not failed and attempts = 0) as pending,
    count(*) filter (where not failed and attempts > 0) as retry,
    count(*) filter (where failed) as failed,
    count(*) filter (where not failed and attempts = 0 and next_try_at > frasier_now()) as claimed,
    extract(epoch from max(next_try_at) filter (where not failed and attempts = 0) - frasier_now())::float8 as claimed_s,
    count(*) filter (where not failed and attempts > 0 and next_try_at > frasier_now()) as waiting,
    extract(epoch from min(next_try_at) filter (where not failed and attempts > 0) - frasier_now())::float8 as waiting_s,
    extract(epoch from frasier_now() - min(created_at) filter (where not failed))::float8 as oldest_s,
    (array_agg(reason order by next_try_at desc) filter (where reason <> ''))[1] as reason
from memory_embedding_jobs where space_id = %(space)s::smallint
