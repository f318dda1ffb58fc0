-- A token for reading alone: its holder may read what the founder may, within its scopes, and change nothing.
alter table memory_tokens add column read_only boolean not null default false;
alter table memory_tokens add constraint founder_or_read_only check (not (founder and read_only));

-- Links by which anybody may read one deliverable until they end or are revoked. Only a hash of the secret is stored.
create table org_share_links (
    id uuid primary key,
    mission_id uuid not null references org_missions,
    -- The version that is shown; without one the newest approved.
    deliverable_id uuid references org_deliverables,
    secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
    created_at timestamptz not null default frasier_now(),
    ends_at timestamptz not null,
    revoked_at timestamptz,
    constraint a_link_ends_after_it_began check (ends_at > created_at)
);
create index org_share_links_mission on org_share_links (mission_id, created_at);

-- Pages of missions go on from the last one of the page before.
drop index org_missions_newest;
create index org_missions_newest on org_missions (created_at desc, id desc);
