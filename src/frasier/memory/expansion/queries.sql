-- name: holding
-- How many memories hold each term, counted up to a bound: enough to tell which word is the usual one.
select asked.key as term_key, held.containing
from (select distinct key from unnest(%(keys)s::bigint[]) as key) asked cross join lateral (
    select count(*) as containing
    from (select from memory_terms where term_key = asked.key limit %(counted)s::int) bounded
) held
where held.containing > 0
