-- name: claim_key
-- Takes the key for this contribution; no row where it was used, after waiting for whoever is using it now.
insert into memory_contributions (caller, idempotency_key, content_hash)
values (%(caller)s::text, %(key)s::text, %(content_hash)s::bytea)
on conflict do nothing
returning idempotency_key

-- name: contributed
-- What was contributed under the key.
select content_hash, memory_id from memory_contributions
where caller = %(caller)s::text and idempotency_key = %(key)s::text

-- name: keep_contribution
-- The key leads to the memory from now on.
update memory_contributions set memory_id = %(memory_id)s::uuid
where caller = %(caller)s::text and idempotency_key = %(key)s::text
