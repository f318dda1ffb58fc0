-- name: threads_around
-- The neighbours of each memory in a thread, nearest first, with their distance.
select input.num, beside.num as beside, beside.distance
from unnest(%(nums)s::bigint[]) as input (num)
join memory_items m on m.num = input.num and m.thread is not null
cross join lateral (
    (select num, row_number() over (order by num desc) as distance from (
        select num from memory_items where scope = m.scope and thread = m.thread and num < m.num
        order by num desc limit %(reach)s::int) before)
    union all
    (select num, row_number() over (order by num) as distance from (
        select num from memory_items where scope = m.scope and thread = m.thread and num > m.num
        order by num limit %(reach)s::int) after)
) beside

-- name: candidate_features
-- The features of each candidate for ranking, in the order of Features and UsageStats; memories that may not be found,
-- or did not hold at that time, are left out. A memory that replaced another one held since it was saved; one that was
-- replaced held until then, and counts as it did before. The newer ones contradict a memory, or say nearly the same with
-- another number, name or the like, by a link that is not older than either text; of the last of them its link is read
-- too. Only the gate's own evidence is: what people write there is no fact of the comparison.
select m.num, m.id, m.title, m.triggers, m.speaker, m.thread, coalesce(s.confidence, 0.5) as confidence,
    exists (
        select from memory_embedding_jobs j where j.memory_num = m.num and j.space_id = %(space)s::smallint
    ) as without_vector,
    newer.nums, newer.id, newer.relation, newer.evidence,
    m.kind, case m.tier when 'deprecated' then coalesce(m.provenance #>> '{retired,tier}', 'normal') else m.tier end as tier,
    m.memory_type, m.importance,
    extract(epoch from frasier_now() - greatest(m.last_seen_at, s.reviewed_at))::float8 / 86400 as age_days,
    extract(epoch from frasier_now() - greatest(m.last_seen_at, s.reviewed_at, s.accessed_at, s.cited_at))::float8 / 86400
        as idle_days,
    case when s.memory_id is not null and exists (
        select from memory_adjustments a
        where a.memory_id = m.id and a.quantity = 'stability' and a.undone_at is null
    ) then s.stability end as stability,
    coalesce(s.use_count, 0) as use_count,
    extract(epoch from frasier_now() - s.cited_at)::float8 / 86400 as cited_days
from (
    select * from memory_recallable where num = any(%(nums)s::bigint[])
    union all
    select * from memory_attributes
    where num = any(%(nums)s::bigint[]) and %(as_of)s::timestamptz is not null and tier = 'deprecated'
        and archived_at is null
) m
left join memory_strengths s on s.memory_id = m.id
cross join lateral (
    select array_agg(other.num) as nums, (array_agg(other.id order by other.num desc))[1] as id,
        (array_agg(edge.relation order by other.num desc))[1] as relation,
        (array_agg(edge.evidence order by other.num desc))[1] as evidence
    from (
        select source_id as id, relation, created_at, case origin when 'gate' then evidence else '' end as evidence
        from memory_edges
        where target_id = m.id and (
            relation = 'contradicts' or relation = 'resembles' and origin = 'gate' and evidence <> '')
        union all
        select target_id, relation, created_at, case origin when 'gate' then evidence else '' end from memory_edges
        where source_id = m.id and relation = 'contradicts'
    ) edge join memory_recallable other on other.id = edge.id and other.num > m.num
    where other.scope = any(%(scopes)s::text[])
        and (%(as_of)s::timestamptz is null or other.created_at <= %(as_of)s::timestamptz)
        and (other.valid_from is null or other.valid_from <= coalesce(%(as_of)s::timestamptz, frasier_now()))
        and (other.valid_until is null or other.valid_until > coalesce(%(as_of)s::timestamptz, frasier_now()))
        and not exists (
            select from memory_versions v
            where v.replaced_at > edge.created_at and (
                v.memory_id = m.id and v.content <> m.content or v.memory_id = other.id and v.content <> other.content))
) newer
where m.scope = any(%(scopes)s::text[]) and m.kind = any(%(kinds)s::text[])
    and (%(agent_id)s::uuid is null or m.agent_id = %(agent_id)s::uuid)
    and (%(period)s::tstzrange is null or coalesce(m.occurred_at, m.created_at) <@ %(period)s::tstzrange)
    and (m.valid_from is null or m.valid_from <= coalesce(%(as_of)s::timestamptz, frasier_now()))
    and (m.valid_until is null or m.valid_until > coalesce(%(as_of)s::timestamptz, frasier_now()))
    and (%(as_of)s::timestamptz is null or (
        (m.tier <> 'deprecated' or %(as_of)s::timestamptz < least(m.valid_until, (
            select min(created_at) from memory_edges where target_id = m.id and relation = 'supersedes')))
        and (m.valid_from is not null or m.created_at <= %(as_of)s::timestamptz or not exists (
            select from memory_edges
            where source_id = m.id and relation = 'supersedes' and origin in ('gate', 'correction')))))

-- name: newest_candidates
-- The memories saved or used last: the answer to a query without words.
select m.num from memory_recallable m left join memory_strengths s on s.memory_id = m.id
where m.scope = any(%(scopes)s::text[]) and m.kind = any(%(kinds)s::text[])
    and (%(agent_id)s::uuid is null or m.agent_id = %(agent_id)s::uuid)
    and (%(period)s::tstzrange is null or coalesce(m.occurred_at, m.created_at) <@ %(period)s::tstzrange)
order by greatest(m.last_seen_at, s.used_at) desc, m.num desc limit %(limit)s::int

-- name: load_hits
-- The memories of one page; also replaced ones if it is about an `earlier` time.
select m.*, kind <> 'marker' and coalesce((
        select exists (select from memory_embedding_jobs j where j.memory_num = num and j.space_id = space.id)
        from memory_spaces space where space.state = 'active'
    ), true) as without_vector
from memory_attributes m where num = any(%(nums)s::bigint[]) and scope = any(%(scopes)s::text[])
    and (%(earlier)s::bool and tier = 'deprecated' and archived_at is null
        or exists (select from memory_recallable there where there.num = m.num))

-- name: count_without_vector
-- The number of memories of the scopes whose vector is still to be made, up to a limit.
select count(*) as owed
from (
    select from memory_spaces s join memory_embedding_jobs j on j.space_id = s.id and not j.failed
        join memory_recallable m on m.num = j.memory_num
    where s.state = 'active' and j.scope = any(%(scopes)s::text[])
    limit %(limit)s::int
) owed

-- name: binding_memories
-- The constitutional memories of the scopes and the founder's directives, the most important first.
select * from memory_recallable
where tier = 'constitutional' and (kind = 'directive' or scope = any(%(scopes)s::text[]))
order by importance desc, last_seen_at desc, num desc limit %(limit)s::int

-- name: recall_start
-- The current database snapshot, and the searched vector space: its id is null if there is none.
select pg_current_snapshot()::text as seen, space.id, space.provider, space.model, space.dimension
from (values (true)) as always (here) left join memory_spaces space on space.state = 'active'

-- name: texts_of
-- The texts of memories for a reranker.
select num, case when title = '' then content else title || E'\n' || content end as text
from memory_items where num = any(%(nums)s::bigint[])

-- name: keys_held
-- Those of some terms that each memory holds.
select num, array(select key from unnest(term_keys) as key where key = any(%(keys)s::bigint[])) as held
from memory_items where num = any(%(nums)s::bigint[])
