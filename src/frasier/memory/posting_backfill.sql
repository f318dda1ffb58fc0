-- name: take_unindexed
-- The oldest memories without postings, skipping those that another process is indexing.
select * from memory_items
where not indexed order by num for update skip locked limit %(limit)s::int

-- name: index_items
-- Stores the postings of memories that have none.
with input as materialized (
    select * from jsonb_to_recordset(%(items)s::jsonb) as g (
        num bigint, length smallint, term_keys bigint[], frequencies smallint[])
), marked as (
    update memory_items m set indexed = true, length = input.length, term_keys = input.term_keys
    from input where m.num = input.num
    returning m.num
)
insert into memory_terms (term_key, memory_num, tf, dl)
select term.key, input.num, term.tf, input.length
from marked join input using (num) cross join lateral unnest(input.term_keys, input.frequencies) as term (key, tf)
order by 1, 2

-- name: refresh_statistics
-- Counts the scopes that are too large to be counted at every recall.
insert into memory_scope_stats (scope, items, terms)
select scope, count(*), sum(length) from memory_items where indexed
group by scope having count(*) > %(larger_than)s::bigint order by scope
on conflict (scope) do update
    set items = excluded.items, terms = excluded.terms, refreshed_at = frasier_now()
