-- name: space_identities
-- The vector spaces in use, with the hash of the projection of their token states.
select id, provider, model, dimension, encode(sha256(projection), 'hex') as projection
from memory_spaces where state in ('active', 'building') order by id

-- name: dump_items
-- Memories as JSON, oldest first: those of the scopes, or of them those with the numbers.
select row_to_json(i)::text as line from (
    select * from memory_attributes
    where scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or num = any(%(nums)s::bigint[]))
    order by num
) i

-- name: dump_versions
-- Earlier versions of those memories.
select row_to_json(v)::text as line from memory_versions v join memory_items m on m.id = v.memory_id
where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))

-- name: dump_triggers
-- The trigger phrases of those memories.
select row_to_json(t)::text as line from memory_triggers t join memory_items m on m.id = t.memory_id
where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))

-- name: dump_unresolved_links
-- The unresolved references of those memories.
select row_to_json(u)::text as line from memory_unresolved_links u join memory_items m on m.id = u.memory_id
where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))

-- name: dump_edges
-- The edges that begin or end at those memories.
with chosen as materialized (
    select id from memory_items
    where scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or num = any(%(nums)s::bigint[]))
)
select row_to_json(e)::text as line from memory_edges e
where e.source_id in (select id from chosen) or e.target_id in (select id from chosen)

-- name: dump_corrections
-- The corrections of those memories.
select row_to_json(c)::text as line from memory_corrections c join memory_items m on m.id = c.original_id
where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))

-- name: dump_strengths
-- The strengths of those memories.
select row_to_json(s)::text as line from memory_strengths s join memory_items m on m.id = s.memory_id
where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))

-- name: dump_adjustments
-- The adjustments behind those strengths, in order.
select row_to_json(a)::text as line from (
    select a.memory_id, a.cause, a.quantity, a.operation, a.amount, a.correction_id, a.undone_at, a.created_at
    from memory_adjustments a join memory_items m on m.id = a.memory_id
    where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))
    order by a.id
) a

-- name: dump_vectors
-- The vectors of those memories, in the binary form of pgvector.
select row_to_json(v)::text as line from (
    select v.memory_num as num, v.space_id as space, v.part, v.scope_key,
        translate(encode(halfvec_send(v.embedding), 'base64'), E'\n', '') as embedding
    from memory_vectors v join memory_items m on m.num = v.memory_num
        join memory_spaces s on s.id = v.space_id and s.state in ('active', 'building')
    where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))
    order by v.memory_num
) v

-- name: dump_token_states
-- The token states of those memories.
select row_to_json(t)::text as line from (
    select t.memory_num as num, t.space_id as space, t.part,
        translate(encode(t.states, 'base64'), E'\n', '') as states
    from memory_token_states t join memory_items m on m.num = t.memory_num
        join memory_spaces s on s.id = t.space_id and s.state in ('active', 'building')
    where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))
    order by t.memory_num
) t
