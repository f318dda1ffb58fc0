-- name: find_memories
-- The memories of the scopes whose id lies in a range, or ends with the given digits.
select * from memory_attributes
where scope = any(%(scopes)s::text[])
    and (id between %(lowest)s::uuid and %(highest)s::uuid or right(replace(id::text, '-', ''), length(%(ending)s::text)) = %(ending)s::text)
order by id limit %(limit)s::int

-- name: list_memories
-- A page of memories in one of three orders: newest first by number, or by a key, which compares as text like its values.
select * from (
    select *, case %(order)s::text
        when 'importance' then lpad(importance::text, 3, '0')
        when 'updated_at' then to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') else '' end as sort_key
    from memory_attributes
    where scope = any(%(scopes)s::text[]) and kind = any(%(kinds)s::text[])
        and (%(tier)s::text is null and tier <> 'deprecated' or tier = %(tier)s::text)
        and case when %(archived)s::boolean then archived_at is not null
            else archived_at is null and (expires_at is null or expires_at > frasier_now()) end
) listed
where %(after_num)s::bigint is null
    or (sort_key collate "C", num) < (%(after_key)s::text collate "C", %(after_num)s::bigint)
order by sort_key collate "C" desc, num desc
limit %(limit)s::int offset %(offset)s::int

-- name: count_memories
-- The total number of memories for list_memories.
select count(*) as total from memory_items
where scope = any(%(scopes)s::text[]) and kind = any(%(kinds)s::text[])
    and (%(tier)s::text is null and tier <> 'deprecated' or tier = %(tier)s::text)
    and case when %(archived)s::boolean then archived_at is not null
        else archived_at is null and (expires_at is null or expires_at > frasier_now()) end

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
