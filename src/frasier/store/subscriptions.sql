-- name: add_subscription
-- Adds a subscription that begins with the events from now on; no row where the name is taken.
insert into store_subscriptions (id, name, kind, target, kinds, secret_digest, epoch, xid, event_id)
select %(id)s::uuid, %(name)s::text, %(kind)s::text, %(target)s::text, %(kinds)s::text[], %(secret_digest)s::text,
    event_epoch(), pg_snapshot_xmin(pg_current_snapshot())::text::bigint, coalesce((select max(id) from events), 0)
on conflict (name) do nothing
returning id

-- name: list_subscriptions
-- All subscriptions with the numbers of their effects that wait and that failed, or the one of that name.
select s.id, s.name, s.kind, s.target, s.kinds, s.state, s.secret_version, s.previous_secret_until, s.secret_digest,
    s.failing_since, s.last_status, s.last_attempt_at, s.last_delivered_at, s.created_at,
    (select count(*) from store_effects e
     where e.subscription_id = s.id and e.state in ('pending', 'sending')) as waiting,
    (select count(*) from store_effects e where e.subscription_id = s.id and e.state = 'failed') as failed
from store_subscriptions s
where %(name)s::text is null or s.name = %(name)s::text order by s.created_at, s.id

-- name: set_subscription_state
-- Pauses a subscription, or has it go on.
update store_subscriptions set state = %(state)s::text,
    failing_since = case when %(state)s::text = 'active' then null else failing_since end
where name = %(name)s::text returning id

-- name: make_waiting_due
-- Makes what waits for its next try due at once, and what failed pending again.
update store_effects set state = 'pending', run_after = frasier_now(), settled_at = null, lease_until = null
where subscription_id = %(id)s::uuid and state in ('pending', 'failed')

-- name: remove_subscription
-- Removes a subscription with its effects.
delete from store_subscriptions where name = %(name)s::text returning id

-- name: rotate_secret
-- Begins the next version of the secret; the one before signs as well for a while.
update store_subscriptions set secret_version = %(version)s::int, secret_digest = %(secret_digest)s::text,
    previous_secret_until = frasier_now() + make_interval(secs => %(overlap_s)s::float8)
where name = %(name)s::text and secret_version = %(version)s::int - 1
returning id

-- name: due_subscriptions
-- The active subscriptions, for which new events are turned into effects.
select id from store_subscriptions where state = 'active' order by id

-- name: take_subscription
-- Locks an active subscription for the transaction, unless another session has it, and counts the effects that wait.
select s.id, s.kind, s.kinds, s.epoch, s.xid, s.event_id, s.effects,
    (select count(*) from store_effects e where e.subscription_id = s.id and e.state in ('pending', 'sending')) as waiting
from store_subscriptions s where s.id = %(id)s::uuid and s.state = 'active' for update of s skip locked

-- name: add_effects
-- Adds the effects of some events: one each, however often the same event comes.
insert into store_effects (id, kind, key, stream, payload, subscription_id, place)
select id, %(kind)s::text, key, stream, payload, %(subscription_id)s::uuid, place
from unnest(%(ids)s::uuid[], %(keys)s::text[], %(streams)s::uuid[], %(payloads)s::jsonb[], %(places)s::bigint[])
    as e (id, key, stream, payload, place)
on conflict (key) do nothing

-- name: advance_cursor
-- Stores how far a subscription has read, and how many effects it has.
update store_subscriptions set epoch = %(epoch)s::bigint, xid = %(xid)s::bigint, event_id = %(event_id)s::bigint,
    effects = %(effects)s::bigint
where id = %(id)s::uuid

-- name: claim_deliveries
-- Marks the next effects as being sent: of each stream of a subscription the first that is not settled, where it is due or its
-- sender died; so many of a subscription at once, and only one while it fails.
update store_effects set state = 'sending', attempts = attempts + 1, error = null,
    lease_until = frasier_now() + make_interval(secs => %(lease_s)s::float8)
where id = any(array(
    select e.id from store_effects e
    where e.id = any(array(
            select ranked.id from (
                select first.id, s.failing_since, busy.sending,
                    row_number() over (partition by s.id order by first.run_after, first.place) as turn
                from store_subscriptions s
                cross join lateral (
                    select count(*) as sending from store_effects b
                    where b.subscription_id = s.id and b.state = 'sending' and b.lease_until >= frasier_now()) busy
                cross join lateral (
                    select distinct on (h.stream) h.id, h.state, h.run_after, h.lease_until, h.place
                    from store_effects h
                    where h.subscription_id = s.id and h.state in ('pending', 'sending')
                    order by h.stream, h.place) first
                where s.kind = any(%(kinds)s::text[]) and s.state = 'active'
                    and ((first.state = 'pending' and first.run_after <= frasier_now())
                        or (first.state = 'sending' and first.lease_until < frasier_now()))) ranked
            where ranked.turn + ranked.sending <= case when ranked.failing_since is null then %(each)s::int else 1 end
            order by ranked.turn limit %(limit)s::int))
        and (e.state = 'pending' or (e.state = 'sending' and e.lease_until < frasier_now()))
    for update skip locked))
returning id, kind, key, stream, payload, attempts, subscription_id

-- name: subscribers
-- What a channel needs to know of some subscriptions.
select id, name, target, secret_version, secret_digest, 
    coalesce(previous_secret_until > frasier_now(), false) as previous_signs
from store_subscriptions where id = any(%(ids)s::uuid[])

-- name: delivered
-- Confirms a delivery, whoever made it.
update store_effects set state = 'sent', lease_until = null, error = null, receipt = %(receipt)s::jsonb,
    settled_at = frasier_now()
where id = %(id)s::uuid and state <> 'sent' returning id

-- name: note_delivered
-- Notes that a receiver takes what is sent; what waited for it while it failed is due at once.
with was as (
    select id, failing_since from store_subscriptions where id = %(id)s::uuid for update
), due as (
    update store_effects e set run_after = frasier_now() from was
    where e.subscription_id = was.id and e.state = 'pending' and e.run_after > frasier_now()
        and was.failing_since < frasier_now() - make_interval(secs => %(failed_s)s::float8)
)
update store_subscriptions s set failing_since = null, last_status = %(status)s::text,
    last_attempt_at = frasier_now(), last_delivered_at = frasier_now()
from was where s.id = was.id

-- name: try_later
-- Puts a delivery off that failed.
update store_effects set state = 'pending', lease_until = null, error = %(error)s::text,
    run_after = frasier_now() + make_interval(secs => %(delay_s)s::float8)
where id = %(id)s::uuid and attempts = %(attempts)s::int and state = 'sending'

-- name: give_up
-- Gives up on a delivery after its last try.
update store_effects set state = 'failed', lease_until = null, error = %(error)s::text, settled_at = frasier_now()
where id = %(id)s::uuid and attempts = %(attempts)s::int and state = 'sending'

-- name: note_failed
-- Notes what a receiver answered; one that is gone is disabled.
update store_subscriptions set failing_since = coalesce(failing_since, frasier_now()), last_status = %(status)s::text,
    last_attempt_at = frasier_now(), state = case when %(gone)s::boolean then 'disabled' else state end
where id = %(id)s::uuid

-- name: delete_delivered
-- Deletes deliveries that were made long ago; the event itself stays in the log.
delete from store_effects where id = any(array(
    select id from store_effects
    where subscription_id is not null and state = 'sent'
        and settled_at < frasier_now() - make_interval(secs => %(kept_s)s::float8)
    order by settled_at limit %(limit)s::int))

-- name: failing_subscriptions
-- Subscriptions whose receiver does not take what is sent, or is gone.
select id, name, state, failing_since, last_status,
    (select count(*) from store_effects e where e.subscription_id = s.id and e.state in ('pending', 'sending', 'failed'))
        as undelivered
from store_subscriptions s where failing_since is not null and state <> 'paused' order by failing_since, id
