-- name: insert_login_link
-- Stores a login link; ones that ended a day ago are of no use to anybody.
with ended as (delete from org_login_links where expires_at < frasier_now() - interval '1 day')
insert into org_login_links (id, secret_hash, read_only, expires_at)
values (%(id)s::uuid, %(secret_hash)s::bytea, %(read_only)s::boolean,
        frasier_now() + make_interval(mins => %(minutes)s::int))

-- name: use_login_link
-- Uses a login link up, if it can be used still.
update org_login_links set used_at = frasier_now()
where secret_hash = %(secret_hash)s::bytea and used_at is null and expires_at > frasier_now()
returning read_only

-- name: insert_session
-- Opens a session.
insert into org_page_sessions (id, secret_hash, read_only, device, expires_at)
values (%(id)s::uuid, %(secret_hash)s::bytea, %(read_only)s::boolean, %(device)s::text,
        frasier_now() + make_interval(days => %(days)s::int))
returning *

-- name: find_session
-- The session of a secret, if it is open still.
select * from org_page_sessions
where secret_hash = %(secret_hash)s::bytea and revoked_at is null and expires_at > frasier_now()
  and seen_at > frasier_now() - make_interval(hours => %(idle_hours)s::int)

-- name: touch_session
-- Notes that a session is used, once a minute.
update org_page_sessions set seen_at = frasier_now()
where id = %(id)s::uuid and seen_at < frasier_now() - interval '1 minute'

-- name: open_sessions
-- The open sessions, newest first.
select * from org_page_sessions
where revoked_at is null and expires_at > frasier_now()
  and seen_at > frasier_now() - make_interval(hours => %(idle_hours)s::int)
order by created_at desc, id desc

-- name: revoke_sessions
-- Ends one session, or all of them.
update org_page_sessions set revoked_at = frasier_now()
where revoked_at is null and (%(id)s::uuid is null or id = %(id)s::uuid)
returning id
