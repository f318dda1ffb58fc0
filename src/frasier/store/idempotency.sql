-- name: begin_request
-- Begins a request under a key: anew, after its time, or where an attempt ended before it wrote anything.
insert into store_idempotency_keys (caller, key, digest, attempt, until)
values (%(caller)s::text, %(key)s::text, %(digest)s::bytea, %(attempt)s::uuid,
    frasier_now() + make_interval(secs => %(lease_s)s::float8))
on conflict (caller, key) do update
set digest = excluded.digest, attempt = excluded.attempt, until = excluded.until, written = false, status = null,
    body = null, began_at = excluded.began_at
where store_idempotency_keys.began_at < frasier_now() - make_interval(secs => %(kept_s)s::float8)
    or store_idempotency_keys.status is null and not store_idempotency_keys.written
        and store_idempotency_keys.until < frasier_now() and store_idempotency_keys.digest = excluded.digest
returning attempt

-- name: read_request
-- What is known of a request under a key.
select digest, status, body, written, until > frasier_now() as running
from store_idempotency_keys where caller = %(caller)s::text and key = %(key)s::text

-- name: mark_request_written
-- Notes that the transaction wrote something for a request; raises serialization_failure if another attempt has it now.
select mark_request_written(%(caller)s::text, %(key)s::text, %(attempt)s::uuid)

-- name: renew_request
-- Says that an attempt is still at work.
update store_idempotency_keys set until = frasier_now() + make_interval(secs => %(lease_s)s::float8)
where caller = %(caller)s::text and key = %(key)s::text and attempt = %(attempt)s::uuid

-- name: answer_request
-- Stores the answer of a request.
update store_idempotency_keys set status = %(status)s::int, body = %(body)s::json
where caller = %(caller)s::text and key = %(key)s::text and attempt = %(attempt)s::uuid

-- name: drop_request
-- Gives up a request that wrote nothing, so that it can be made again.
delete from store_idempotency_keys
where caller = %(caller)s::text and key = %(key)s::text and attempt = %(attempt)s::uuid and not written

-- name: end_request
-- Says that an attempt is not at work any more, and will give no answer.
update store_idempotency_keys set until = frasier_now()
where caller = %(caller)s::text and key = %(key)s::text and attempt = %(attempt)s::uuid

-- name: purge_requests
-- Deletes requests after their time.
delete from store_idempotency_keys where began_at < frasier_now() - make_interval(secs => %(kept_s)s::float8)
