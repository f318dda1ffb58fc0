-- name: visible
-- Those of some memories that are in the scopes.
select id from memory_items where id = any(%(memory_ids)s::uuid[]) and scope = any(%(scopes)s::text[])

-- name: review_scope
-- The scope of a memory.
select scope from memory_items where id = %(memory_id)s::uuid

-- name: session_scope
-- The scope of a session.
select scope from memory_sessions where id = %(session_id)s::text

-- name: review_basis
-- The age of a memory, and whether it was reviewed within a day, or since the session began.
select extract(epoch from frasier_now() - greatest(m.last_seen_at, s.reviewed_at))::float8 / 86400 as age_days,
    coalesce(s.reviewed_at > frasier_now() - interval '1 day', false) as today,
    coalesce(s.reviewed_at >= session.created_at, false) as this_session
from memory_items m
join memory_strengths s on s.memory_id = m.id
left join memory_sessions session on session.id = %(session_id)s::text
where m.id = %(memory_id)s::uuid
