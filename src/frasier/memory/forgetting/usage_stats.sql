-- name: usage_stats
-- The usage statistics of memories; stability only if an adjustment of it is in effect.
select m.num, m.kind, m.tier, m.memory_type, m.importance, coalesce(s.use_count, 0) as use_count,
    extract(epoch from frasier_now() - greatest(m.last_seen_at, s.reviewed_at))::float8 / 86400 as age_days,
    extract(epoch from frasier_now() - greatest(m.last_seen_at, s.reviewed_at, s.accessed_at, s.cited_at))::float8 / 86400
        as idle_days,
    extract(epoch from frasier_now() - s.cited_at)::float8 / 86400 as cited_days,
    case when s.memory_id is not null and exists (
        select from memory_adjustments a
        where a.memory_id = m.id and a.quantity = 'stability' and a.undone_at is null
    ) then s.stability end as stability
from memory_items m left join memory_strengths s on s.memory_id = m.id
where m.num = any(%(nums)s::bigint[])

-- name: num_of_memory
-- The number of a memory.
select num from memory_items where id = %(memory_id)s::uuid
