-- name: issue_token
-- Stores the hash of a new token. The name of a revoked token can be reused; a valid token is left unchanged.
insert into memory_tokens (id, name, token_hash, scopes, founder, read_only)
values (%(id)s::uuid, %(name)s::text, %(token_hash)s::bytea, %(scopes)s::text[], %(founder)s::bool, %(read_only)s::bool)
on conflict (name) do update
    set id = excluded.id, token_hash = excluded.token_hash, scopes = excluded.scopes,
        founder = excluded.founder, read_only = excluded.read_only, created_at = frasier_now(), revoked_at = null
    where memory_tokens.revoked_at is not null
returning id

-- name: issue_first_token
-- Stores the hash of a token if none was ever issued; of two concurrent attempts, one succeeds.
insert into memory_tokens (id, name, token_hash, scopes)
select %(id)s::uuid, %(name)s::text, %(token_hash)s::bytea, %(scopes)s::text[]
where not exists (select from memory_tokens)
on conflict do nothing
returning id

-- name: find_token
-- The valid token with this hash.
select name, token_hash, scopes, founder, read_only from memory_tokens
where token_hash = %(token_hash)s::bytea and revoked_at is null

-- name: revoke_token
-- Revokes the token as of this commit.
update memory_tokens set revoked_at = frasier_now() where name = %(name)s::text and revoked_at is null returning id

-- name: list_tokens
-- All issued tokens, oldest first.
select id, name, scopes, founder, read_only, created_at, revoked_at from memory_tokens order by created_at, name

-- name: lock_token
-- The scopes of the valid token of a name, locked, so that concurrent grants follow each other.
select scopes from memory_tokens where name = %(name)s::text and revoked_at is null for update

-- name: grant_scopes
-- Give further scopes to the valid token of a name.
update memory_tokens set scopes = %(scopes)s::text[] where name = %(name)s::text and revoked_at is null
