-- name: claim_key
-- Claims the key for this contribution; waits for a transaction that holds it, and returns no row if it was used.
insert into memory_contributions (caller, idempotency_key, content_hash)
values (%(caller)s::text, %(key)s::text, %(content_hash)s::bytea)
on conflict do nothing
returning idempotency_key

-- name: find_contribution
-- The contribution stored under the key.
select content_hash, memory_id from memory_contributions
where caller = %(caller)s::text and idempotency_key = %(key)s::text

-- name: complete_contribution
-- Records which memory the key stands for.
update memory_contributions set memory_id = %(memory_id)s::uuid
where caller = %(caller)s::text and idempotency_key = %(key)s::text
