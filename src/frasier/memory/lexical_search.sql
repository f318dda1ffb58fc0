-- name: scopes_with_terms
-- Memories and terms of each scope, as last counted; null for small scopes, which are not counted. And the number of
-- memories that hold each term, in order. The OFFSET makes the planner look up each term separately.
with frequencies as materialized (
    select term.nth, held.containing
    from unnest(%(keys)s::bigint[]) with ordinality as term (key, nth)
    cross join lateral (
        select count(*) as containing from memory_terms where term_key = term.key offset 0
    ) held
)
select requested.scope, stats.items, stats.terms, array(select containing from frequencies order by nth) as containing
from unnest(%(scopes)s::text[]) as requested (scope) left join memory_scope_stats stats using (scope)

-- name: size_of_scopes
-- Memories and terms of each scope, counted now. Separate from the stored counts: in one statement the planner would
-- expect this work for every scope, and plan anew each time.
select requested.scope, live.items, live.terms
from unnest(%(scopes)s::text[]) as requested (scope)
cross join lateral (
    select count(*) as items, coalesce(sum(length), 0) as terms
    from memory_items m where m.scope = requested.scope and m.indexed
) live

-- name: rank_items
-- The best matches by BM25, with precomputed weights. The inner OFFSET makes the planner look up each term separately,
-- even right after a bulk load, when it does not know yet how rare terms are. Only the `best` are read, all if that is
-- null: sorting thousands of matches costs as much as summing them.
with scored as (
    select hit.memory_num, sum(term.weight * hit.tf / (hit.tf + %(floor)s::float8 + term.slope * hit.dl)) as score
    from unnest(%(keys)s::bigint[], %(weights)s::float8[], %(slopes)s::float8[]) as term (term_key, weight, slope)
    cross join lateral (
        select memory_num, tf, dl from memory_terms where term_key = term.term_key offset 0
    ) hit
    group by hit.memory_num
)
select m.num, best.score
from (select * from scored order by score desc, memory_num limit %(best)s::int) best
join memory_recallable m on m.num = best.memory_num
where m.scope = any(%(scopes)s::text[]) and m.kind = any(%(kinds)s::text[])
    and (%(agent_id)s::uuid is null or m.agent_id = %(agent_id)s::uuid)
    and (%(period)s::tstzrange is null or coalesce(m.occurred_at, m.created_at) <@ %(period)s::tstzrange)
order by best.score desc, m.num limit %(limit)s::int

-- name: rank_replaced_items
-- The best matches among the memories that another one replaced: a question about an earlier time asks for them too.
-- These are few, so their own postings are looked up, not all those of the terms. Without statistics the planner might
-- read the latter all the same: the OFFSET prevents it.
with replaced as materialized (
    select num from memory_items
    where tier = 'deprecated' and archived_at is null
        and scope = any(%(scopes)s::text[]) and kind = any(%(kinds)s::text[])
        and (%(agent_id)s::uuid is null or agent_id = %(agent_id)s::uuid)
        and (%(period)s::tstzrange is null or coalesce(occurred_at, created_at) <@ %(period)s::tstzrange)
)
select replaced.num, sum(term.weight * hit.tf / (hit.tf + %(floor)s::float8 + term.slope * hit.dl)) as score
from unnest(%(keys)s::bigint[], %(weights)s::float8[], %(slopes)s::float8[]) as term (term_key, weight, slope)
cross join replaced
cross join lateral (
    select tf, dl from memory_terms where term_key = term.term_key and memory_num = replaced.num offset 0
) hit
group by replaced.num
order by score desc, replaced.num limit %(limit)s::int

-- name: rank_items_twice
-- The best matches by the rarer terms, ordered by all terms: the scores of common terms are looked up for these only.
with scored as (
    select hit.memory_num, sum(term.weight * hit.tf / (hit.tf + %(floor)s::float8 + term.slope * hit.dl)) as score
    from unnest(%(keys)s::bigint[], %(weights)s::float8[], %(slopes)s::float8[]) as term (term_key, weight, slope)
    cross join lateral (
        select memory_num, tf, dl from memory_terms where term_key = term.term_key offset 0
    ) hit
    group by hit.memory_num
), head as materialized (
    select * from scored order by score desc, memory_num limit %(best)s::int
), whole as materialized (
    select head.memory_num, head.score + coalesce(common.score, 0) as score
    from head cross join lateral (
        select sum(term.weight * hit.tf / (hit.tf + %(floor)s::float8 + term.slope * hit.dl)) as score
        from unnest(%(common_keys)s::bigint[], %(common_weights)s::float8[], %(common_slopes)s::float8[])
            as term (term_key, weight, slope)
        cross join lateral (
            select tf, dl from memory_terms
            where term_key = term.term_key and memory_num = head.memory_num offset 0
        ) hit
    ) common
)
select m.num, whole.score
from whole join memory_recallable m on m.num = whole.memory_num
where m.scope = any(%(scopes)s::text[]) and m.kind = any(%(kinds)s::text[])
    and (%(agent_id)s::uuid is null or m.agent_id = %(agent_id)s::uuid)
    and (%(period)s::tstzrange is null or coalesce(m.occurred_at, m.created_at) <@ %(period)s::tstzrange)
order by whole.score desc, m.num limit %(limit)s::int

-- name: found_items
-- The matching memories, each with those of the searched keys that it holds.
select m.*,
    array(select key from unnest(item.term_keys) as key where key = any(%(keys)s::bigint[])) as matched
from memory_attributes m join memory_items item using (num) where num = any(%(nums)s::bigint[])
