-- Access to the founder's page: login links, each used once, and the sessions that they open. Secrets are kept as hashes.
create table org_login_links (
    id uuid primary key,
    secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
    read_only boolean not null,
    created_at timestamptz not null default frasier_now(),
    expires_at timestamptz not null,
    used_at timestamptz,
    constraint login_link_ends check (expires_at > created_at)
);

create table org_page_sessions (
    id uuid primary key,
    secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
    read_only boolean not null,
    device text not null check (char_length(device) <= 200),
    created_at timestamptz not null default frasier_now(),
    seen_at timestamptz not null default frasier_now(),
    expires_at timestamptz not null,
    revoked_at timestamptz,
    constraint page_session_ends check (expires_at > created_at)
);
create index org_page_sessions_open on org_page_sessions (created_at) where revoked_at is null;
