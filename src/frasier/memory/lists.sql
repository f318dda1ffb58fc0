-- name: find_memories
-- The memories of the scopes whose id lies in a range, or ends with the given digits.
select * from memory_attributes
where scope = any(%(scopes)s::text[])
    and (id between %(lowest)s::uuid and %(highest)s::uuid or right(replace(id::text, '-', ''), length(%(ending)s::text)) = %(ending)s::text)
order by id limit %(limit)s::int

-- name: list_memories
-- A page of memories in one of three orders: newest first by number, or by a key, which compares as text like its values.
-- Each row has the total of all pages; where the page is empty, one row has nothing else. With a least retrievability
-- those that fade and are below it, or idle for too long, are left out.
with listed as materialized (
    select m.num, case %(order)s::text
        when 'importance' then lpad(m.importance::text, 3, '0')
        when 'updated_at' then to_char(m.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') else '' end as sort_key
    from memory_items m left join memory_strengths s on s.memory_id = m.id and %(retained_min)s::float8 is not null
    where m.scope = any(%(scopes)s::text[]) and m.kind = any(%(kinds)s::text[])
        and (%(tier)s::text is null and m.tier <> 'deprecated' or m.tier = %(tier)s::text)
        and case when %(archived)s::boolean then m.archived_at is not null
            else m.archived_at is null and (m.expires_at is null or m.expires_at > frasier_now()) end
        and (%(period)s::tstzrange is null or coalesce(m.occurred_at, m.created_at) <@ %(period)s::tstzrange)
        and (%(retained_min)s::float8 is null or m.memory_type <> all(%(fading_types)s::text[])
            or m.tier <> all(%(fading_tiers)s::text[]) or m.kind = any(%(lasting_kinds)s::text[])
            or greatest(m.last_seen_at, s.reviewed_at, s.accessed_at, s.cited_at)
                    > frasier_now() - %(idle_days)s::float8 * interval '1 day'
                and extract(epoch from frasier_now() - greatest(m.last_seen_at, s.reviewed_at))::float8 / 86400
                    <= (%(retained_min)s::float8 ^ -2 - 1) / %(forgetting_rate)s::float8 * coalesce(
                        case when exists (
                            select from memory_adjustments a
                            where a.memory_id = m.id and a.quantity = 'stability' and a.undone_at is null
                        ) then s.stability end,
                        (%(stabilities)s::float8[])[array_position(%(fading_types)s::text[], m.memory_type)]))
), page as (
    select num, sort_key from listed
    where %(after_num)s::bigint is null
        or (sort_key collate "C", num) < (%(after_key)s::text collate "C", %(after_num)s::bigint)
    order by sort_key collate "C" desc, num desc
    limit %(limit)s::int offset %(offset)s::int
)
select memory.*, page.sort_key, counted.total
from (select count(*) as total from listed) counted
left join page on true left join memory_attributes memory on memory.num = page.num
order by page.sort_key collate "C" desc, page.num desc

-- name: memory_stats
-- Counts by several attributes; archived and deprecated memories count by state only.
with item as (
    select num, scope, kind, tier, memory_type,
        case when tier = 'deprecated' then 'deprecated'
            when archived_at is not null or expires_at <= frasier_now() then 'archived' else 'recallable' end as state
    from memory_items where scope = any(%(scopes)s::text[]) and kind <> 'marker'
)
select 'state' as respect, state as value, count(*) from item group by state
union all select 'scope', scope, count(*) from item where state = 'recallable' group by scope
union all select 'kind', kind, count(*) from item where state = 'recallable' group by kind
union all select 'tier', tier, count(*) from item where state = 'recallable' group by tier
union all select 'type', memory_type, count(*) from item where state = 'recallable' group by memory_type
union all select 'vector', 'owed', count(distinct item.num)
from item join memory_embedding_jobs job on job.memory_num = item.num

-- name: recent_of_thread
-- The latest memories of a thread, newest first.
select * from memory_recallable
where scope = %(scope)s::text and thread = %(thread)s::text
    and provenance -> %(without)s::text is distinct from 'true'::jsonb
order by num desc limit %(limit)s::int
