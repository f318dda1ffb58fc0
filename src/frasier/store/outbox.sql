-- name: claim_effects
-- Marks the next due effect of each kind as being sent, before anything is sent.
update store_effects set state = 'sending', attempts = attempts + 1,
    lease_until = frasier_now() + make_interval(secs => %(lease_s)s::float8)
where id = any(array(
    select due.id from unnest(%(kinds)s::text[]) as wanted (kind)
    cross join lateral (
        select e.id from store_effects e
        where e.state = 'pending' and e.kind = wanted.kind and e.run_after <= frasier_now()
        order by e.run_after, e.id for update skip locked limit 1
    ) due))
returning id, kind, key, stream, payload, attempts

-- name: expire_sending
-- Marks effects whose sender died as unknown.
update store_effects set state = 'unknown', lease_until = null,
    error = %(error)s::text
where id = any(array(
    select id from store_effects
    where state = 'sending' and subscription_id is null and lease_until < frasier_now()
    for update skip locked limit 100))
returning id, kind, key, stream, payload, attempts, error

-- name: claim_doubtful
-- Takes the next effect of each kind to look up outside, and reserves it for a while.
update store_effects set run_after = frasier_now() + make_interval(secs => %(lease_s)s::float8)
where id = any(array(
    select due.id from unnest(%(kinds)s::text[]) as wanted (kind)
    cross join lateral (
        select e.id from store_effects e
        where e.state = 'unknown' and e.kind = wanted.kind and e.run_after <= frasier_now()
        order by e.created_at, e.id for update skip locked limit 1
    ) due))
returning id, kind, key, stream, payload, attempts

-- name: settle_effect
-- Confirms an effect: a receipt counts from any sender, however late. No row if it is confirmed already.
update store_effects set state = 'sent', lease_until = null, error = null,
    receipt = %(receipt)s::jsonb, settled_at = frasier_now()
where id = %(id)s::uuid and state <> 'sent'
returning id

-- name: requeue_effect
-- Requeues an effect whose attempt certainly did nothing; the error is the refusal of the service.
update store_effects set state = 'pending', lease_until = null, error = %(error)s::text,
    run_after = frasier_now() + make_interval(secs => %(delay_s)s::float8)
where id = %(id)s::uuid and attempts = %(attempts)s::int and state in ('sending', 'unknown')

-- name: doubt_effect
-- The outcome of an attempt is unknown, and cannot be looked up before a while.
update store_effects set state = 'unknown', lease_until = null, error = %(error)s::text,
    run_after = frasier_now() + make_interval(secs => %(delay_s)s::float8)
where id = %(id)s::uuid and attempts = %(attempts)s::int and state = 'sending'

-- name: doubt_longer
-- Postpones the next look-up of an unknown outcome.
update store_effects set error = %(error)s::text, run_after = frasier_now() + make_interval(secs => %(delay_s)s::float8)
where id = %(id)s::uuid and attempts = %(attempts)s::int and state = 'unknown'

-- name: fail_effect
-- Gives up on an effect.
update store_effects set state = 'failed', lease_until = null, error = %(error)s::text, settled_at = frasier_now()
where id = %(id)s::uuid and attempts = %(attempts)s::int and state in ('sending', 'unknown')
