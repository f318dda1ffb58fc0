-- name: save_items
-- Stores memories with their postings; what is there already is seen once more, and raised where it is given
-- more weight, never lowered.
with given as materialized (
    select * from jsonb_to_recordset(%(items)s::jsonb) as g (
        id uuid, kind text, scope text, title text, content text, tags text[], tier text, importance smallint,
        agent_id uuid, task_id uuid, provenance jsonb, content_hash bytea, length smallint,
        term_keys bigint[], frequencies smallint[])
), saved as (
    insert into memory_items (id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
        provenance, content_hash, indexed, length, term_keys, expires_at)
    select id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
        provenance, content_hash, true, length, term_keys,
        case when tier = 'temporary' then now() + interval '7 days' end
    from given
    on conflict (content_hash, scope, kind, agent_id)
        where kind not in ('conversation', 'marker', 'passage') and tier <> 'deprecated' and archived_at is null
    do update set
        access_count = memory_items.access_count + 1,
        last_seen_at = now(),
        importance = greatest(memory_items.importance, excluded.importance),
        (tier, expires_at) = (
            select rank.tier, case when rank.tier = 'temporary' then excluded.expires_at end
            from unnest('{constitutional,critical,important,normal,temporary}'::text[]) with ordinality
                as rank (tier, nth)
            where rank.tier in (memory_items.tier, excluded.tier) order by nth limit 1)
    returning id, num, scope, kind, agent_id, content_hash
), posted as (
    insert into memory_terms (term_key, memory_num, tf, dl)
    select term.key, saved.num, term.tf, given.length
    from saved join given using (id) cross join lateral unnest(given.term_keys, given.frequencies) as term (key, tf)
    order by 1, 2
)
select id, scope, kind, agent_id, content_hash from saved

-- name: save_unindexed
-- Stores one memory whose postings a job makes later.
insert into memory_items (id, kind, scope, content, agent_id, task_id, provenance, content_hash)
values (%(id)s::uuid, %(kind)s::text, %(scope)s::text, %(content)s::text, %(agent_id)s::uuid, %(task_id)s::uuid,
    %(provenance)s::jsonb, %(content_hash)s::bytea)

-- name: take_unindexed
-- The oldest memories without postings, skipping those that another process is indexing.
select num, scope, title, content, tags from memory_items
where not indexed order by num for update skip locked limit %(limit)s::int

-- name: index_items
-- Stores the postings of memories that have none.
with given as materialized (
    select * from jsonb_to_recordset(%(items)s::jsonb) as g (
        num bigint, length smallint, term_keys bigint[], frequencies smallint[])
), marked as (
    update memory_items m set indexed = true, length = given.length, term_keys = given.term_keys
    from given where m.num = given.num
    returning m.num
)
insert into memory_terms (term_key, memory_num, tf, dl)
select term.key, given.num, term.tf, given.length
from marked join given using (num) cross join lateral unnest(given.term_keys, given.frequencies) as term (key, tf)
order by 1, 2

-- name: refresh_statistics
-- Counts the scopes that are too large to be counted at every recall.
insert into memory_scope_stats (scope, items, terms)
select scope, count(*), sum(length) from memory_items where indexed
group by scope having count(*) > %(larger_than)s::bigint order by scope
on conflict (scope) do update
    set items = excluded.items, terms = excluded.terms, refreshed_at = now()

-- name: scope_sizes
-- Memories and terms of each scope: as last counted where it is large, counted now where it is not.
select asked.scope, coalesce(stats.items, live.items) as items, coalesce(stats.terms, live.terms) as terms
from unnest(%(scopes)s::text[]) as asked (scope)
left join memory_scope_stats stats using (scope)
left join lateral (
    select count(*) as items, coalesce(sum(length), 0) as terms
    from memory_items m where m.scope = asked.scope and m.indexed and stats.scope is null
) live on true

-- name: term_frequencies
-- How many memories hold each term.
select term_key, count(*) as containing from memory_terms
where term_key = any(%(keys)s::bigint[]) group by term_key

-- name: rank_items
-- The best matches by BM25, weights given. The inner OFFSET makes the planner look each term up by itself, also
-- right after a bulk load, when it does not know yet how rare terms are.
with scored as materialized (
    select hit.memory_num, sum(wanted.weight * hit.tf / (hit.tf + %(floor)s::float8 + wanted.slope * hit.dl)) as score
    from unnest(%(keys)s::bigint[], %(weights)s::float8[], %(slopes)s::float8[]) as wanted (term_key, weight, slope)
    cross join lateral (
        select memory_num, tf, dl from memory_terms where term_key = wanted.term_key offset 0
    ) hit
    group by hit.memory_num
)
select m.num, m.kind, m.tier, m.importance, best.score
from (select * from scored order by score desc, memory_num) best
join memory_items m on m.num = best.memory_num
where m.scope = any(%(scopes)s::text[]) and m.kind = any(%(kinds)s::text[])
    and (%(agent_id)s::uuid is null or m.agent_id = %(agent_id)s::uuid)
    and m.tier <> 'deprecated' and m.archived_at is null and (m.expires_at is null or m.expires_at > now())
order by best.score desc, m.num limit %(limit)s::int

-- name: found_items
-- The memories that were found, each with those of the searched keys that it holds.
select num, id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
    provenance, access_count, last_seen_at, created_at, expires_at,
    array(select key from unnest(term_keys) as key where key = any(%(keys)s::bigint[])) as matched
from memory_items where num = any(%(nums)s::bigint[])

-- name: founder_directives
-- What the founder directed, the weightiest and newest first.
select id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
    provenance, access_count, last_seen_at, created_at, expires_at
from memory_items where kind = 'directive'
order by importance desc, last_seen_at desc, num desc limit %(limit)s::int

-- name: markers_of_task
-- The markers of a task, or of one agent at it, newest first.
select id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
    provenance, access_count, last_seen_at, created_at, expires_at
from memory_items
where task_id = %(task_id)s::uuid and kind = 'marker'
    and (%(agent_id)s::uuid is null or agent_id = %(agent_id)s::uuid)
    and tier <> 'deprecated' and archived_at is null and (expires_at is null or expires_at > now())
order by num desc limit %(limit)s::int

-- name: recent_of_agent
-- What an agent saved last, newest first.
select id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
    provenance, access_count, last_seen_at, created_at, expires_at
from memory_items
where agent_id = %(agent_id)s::uuid and kind = any(%(kinds)s::text[])
    and tier <> 'deprecated' and archived_at is null and (expires_at is null or expires_at > now())
order by created_at desc, num desc limit %(limit)s::int
