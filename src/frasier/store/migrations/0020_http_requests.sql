-- What was asked under an idempotency key, and what was answered: a repeated request is answered again, not done again.
create table store_idempotency_keys (
    caller text not null,
    key text not null check (length(key) between 1 and 200),
    -- Of the method, the path and the inputs: another request under the same key is refused.
    digest bytea not null,
    -- Who carries it out, and until when it is held to be at work unless it says so again.
    attempt uuid not null,
    until timestamptz not null,
    -- Set in the very transaction that first wrote something for it.
    written boolean not null default false,
    -- Null until it is answered; a body that held a secret is not kept.
    status integer check (status between 200 and 599),
    body json,
    began_at timestamptz not null default frasier_now(),
    primary key (caller, key)
);
create index store_idempotency_keys_age on store_idempotency_keys (began_at);

\ir functions/idempotency.sql

-- Documents that were sent for a mission that is still to be started.
create table work_uploads (
    id uuid primary key,
    caller text not null,
    name text not null check (name <> '' and length(name) <= 200),
    content bytea not null,
    sha256 text not null,
    created_at timestamptz not null default frasier_now()
);
create index work_uploads_caller on work_uploads (caller, created_at);
create index work_uploads_age on work_uploads (created_at);
