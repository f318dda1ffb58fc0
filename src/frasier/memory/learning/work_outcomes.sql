-- name: count_validation
-- Counts one more vote on a memory.
update memory_strengths set validations = validations + 1 where memory_id = %(id)s::uuid

-- name: find_promotable
-- Proven memories that may become critical, the most confident first.
select m.id, m.tier, s.confidence, s.validations
from memory_recallable m join memory_strengths s on s.memory_id = m.id
where m.scope = any(%(scopes)s::text[]) and m.tier in ('important', 'normal', 'temporary')
    and s.confidence >= %(confidence)s::float8 and s.validations >= %(validations)s::int
order by s.confidence desc, s.validations desc, m.num limit %(limit)s::int

-- name: promote_memory
-- Makes a locked memory critical, without expiry.
update memory_items set tier = 'critical', expires_at = null, updated_at = frasier_now() where id = %(id)s::uuid
