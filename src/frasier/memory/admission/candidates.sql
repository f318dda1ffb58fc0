-- name: find_candidates
-- The memories of one scope that share the new one's rarest words, and those with identical content, time and
-- speaker.
-- Terms are counted up to a bound: beyond it a term is too common to be significant, and expensive to count.
-- A few of such terms are looked up in the newest memories, so that a scope of similar texts is searched too.
with requested as materialized (
    select distinct key from unnest(%(keys)s::bigint[]) as key
), counted as (
    select requested.key, held.containing, row_number() over (order by held.containing, requested.key) as nth
    from requested cross join lateral (
        select count(*) as containing
        from (select from memory_terms where term_key = requested.key limit %(common)s::int) bounded
    ) held
    where held.containing > 0
), telling as materialized (
    select key, containing from counted
    where nth <= %(telling)s::int and (containing < %(common)s::int or nth <= %(telling)s::int / 8)
), sharing as materialized (
    select hit.memory_num, count(*) as shared, sum(1 / telling.containing::float8) as weight
    from telling cross join lateral (
        select memory_num from memory_terms where term_key = telling.key
        order by memory_num desc limit %(common)s::int
    ) hit
    group by hit.memory_num
), alike as (
    select m.num
    from (select * from sharing order by shared desc, weight desc, memory_num limit 50) sharing
    join memory_recallable m on m.num = sharing.memory_num
    where m.scope = %(scope)s::text and m.kind <> all(%(ungated)s::text[])
        and m.length between %(length_min)s::int and %(length_max)s::int
        and (m.valid_until is null or m.valid_until > frasier_now())
        and (%(except_id)s::uuid is null or m.id <> %(except_id)s::uuid)
    order by sharing.shared desc, sharing.weight desc, m.num limit %(limit)s::int
), same as (
    select num from memory_items
    where content_hash = %(content_hash)s::bytea and scope = %(scope)s::text
        and kind not in ('conversation', 'marker', 'passage') and tier <> 'deprecated' and archived_at is null
        and file_id is null and (%(except_id)s::uuid is null or id <> %(except_id)s::uuid)
    order by num limit 20
)
select m.*, m.provenance ->> 'saved_by' as author, m.file_id is not null as from_file,
    coalesce(m.valid_until <= frasier_now(), false) as over
from memory_attributes m
where m.num in (select num from alike union select num from same)

-- name: same_content
-- The memories with identical content, time and speaker in any of the scopes. Those of files are found by similarity.
select id, scope, kind, agent_id
from memory_items
where content_hash = %(content_hash)s::bytea and scope = any(%(scopes)s::text[])
    and kind not in ('conversation', 'marker', 'passage') and tier <> 'deprecated' and archived_at is null
    and file_id is null and (%(except_id)s::uuid is null or id <> %(except_id)s::uuid)
order by num limit 20
