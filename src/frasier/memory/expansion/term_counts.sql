-- name: holding
-- The number of memories that hold each term, counted up to a bound: enough to find the most common word.
select requested.key as term_key, held.containing
from (select distinct key from unnest(%(keys)s::bigint[]) as key) requested cross join lateral (
    select count(*) as containing
    from (select from memory_terms where term_key = requested.key limit %(counted)s::int) bounded
) held
where held.containing > 0
