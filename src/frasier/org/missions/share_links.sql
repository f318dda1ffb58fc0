-- name: insert_share_link
-- Stores a link with the hash of its secret.
insert into org_share_links (id, mission_id, deliverable_id, secret_hash, ends_at)
values (%(id)s::uuid, %(mission_id)s::uuid, %(deliverable_id)s::uuid, %(secret_hash)s::bytea,
        frasier_now() + make_interval(days => %(days)s::int))
returning id, mission_id, deliverable_id, created_at, ends_at, revoked_at, true as valid

-- name: share_links
-- The links, newest first; those of one mission if it is named.
select id, mission_id, deliverable_id, created_at, ends_at, revoked_at,
    revoked_at is null and ends_at > frasier_now() as valid
from org_share_links where %(mission_id)s::uuid is null or mission_id = %(mission_id)s::uuid
order by created_at desc, id desc limit %(limit)s::int

-- name: share_links_like
-- Links by the beginning or end of their id.
select id, mission_id, deliverable_id, created_at, ends_at, revoked_at,
    revoked_at is null and ends_at > frasier_now() as valid
from org_share_links
where %(part)s::text in (left(replace(id::text, '-', ''), length(%(part)s::text)),
                         right(replace(id::text, '-', ''), length(%(part)s::text)))
order by created_at desc, id desc limit %(limit)s::int

-- name: valid_share_link
-- The valid link whose secret has this hash.
select id, mission_id, deliverable_id, secret_hash, created_at, ends_at, revoked_at, true as valid
from org_share_links where secret_hash = %(secret_hash)s::bytea and revoked_at is null and ends_at > frasier_now()

-- name: revoke_share_link
-- Revokes a link as of this commit.
update org_share_links set revoked_at = coalesce(revoked_at, frasier_now()) where id = %(id)s::uuid
returning id, mission_id, deliverable_id, created_at, ends_at, revoked_at, false as valid
