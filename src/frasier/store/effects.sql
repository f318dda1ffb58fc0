-- name: enqueue_effect
-- Enqueues an effect once: the same key again changes nothing.
select enqueue_effect(%(id)s::uuid, %(kind)s::text, %(key)s::text, %(stream)s::uuid, %(payload)s::jsonb)

-- name: resend_effect
-- Makes an effect that failed, is in doubt or waits for its next try due at once, at the request of a person.
update store_effects set state = 'pending', run_after = frasier_now(), settled_at = null, error = null
where id = %(id)s::uuid and (state in ('unknown', 'failed') or (state = 'pending' and error is not null))
returning stream, key

-- name: effects_of_stream
-- Every effect of one stream.
select id, kind, key, stream, payload, state, attempts, receipt, error, created_at, settled_at
from store_effects where stream = %(stream)s::uuid order by created_at, id

-- name: open_effects
-- Effects that need attention.
select id, kind, key, stream, payload, state, attempts, receipt, error, created_at, settled_at
from store_effects
where subscription_id is null and (state in ('unknown', 'failed') or (state = 'pending' and error is not null))
order by created_at, id
