-- name: lock_for_deletion
-- Locks the memories to delete, with the columns that decide who may delete them.
select num, id, scope, kind, tier, provenance, file_id, created_at from memory_items
where scope = any(%(scopes)s::text[]) and (%(ids)s::uuid[] is null or id = any(%(ids)s::uuid[]))
    and (%(tier)s::text is null or tier = %(tier)s::text)
    and (%(older_than_days)s::float8 is null
        or created_at < frasier_now() - make_interval(secs => %(older_than_days)s::float8 * 86400))
order by num for update

-- name: retired_for
-- The memories that were retired for one of these, and are not among them.
select distinct m.num, m.id from memory_edges e join memory_items m on m.id = e.target_id
where e.source_id = any(%(ids)s::uuid[]) and e.relation = 'supersedes' and e.origin = 'gate'
    and m.provenance #>> '{retired,for}' = e.source_id::text and m.id <> all(%(ids)s::uuid[])
order by m.num

-- name: delete_items
-- Deletes memories that this transaction has locked, with their postings, which no foreign key covers. The inner OFFSET
-- makes the planner look up each posting by its key; otherwise it reads all postings, even for one memory.
with deleted as materialized (
    select num, term_keys from memory_items where num = any(%(nums)s::bigint[])
), postings as materialized (
    select hit.ctid as place from deleted cross join lateral unnest(term_keys) as key cross join lateral (
        select t.ctid from memory_terms t where t.term_key = key and t.memory_num = deleted.num offset 0) hit
), unposted as (
    delete from memory_terms where ctid = any(array(select place from postings))
)
delete from memory_items where num = any(%(nums)s::bigint[])
