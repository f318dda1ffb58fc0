-- name: server_condition
-- The server, this session's role and the size of its database.
select current_setting('server_version') as version, current_user::text as role, current_database()::text as database,
    pg_database_size(current_database()) as bytes,
    (select extversion from pg_extension where extname = 'vector') as vector,
    (select count(*) from pg_stat_activity where datname = current_database()) as connections,
    to_regclass('store_migrations') is not null as has_schema

-- name: applied_migrations
-- The files that were applied to this schema, with the checksums of their contents.
select name, sha256, applied_at from store_migrations order by name

-- name: touch_newest_event
-- Attempts the forbidden change of an event, to verify that it is refused.
update events set actor = actor where id = (select max(id) from events)

-- name: latest_effects
-- The newest effects, oldest first. Their ids follow the clock.
select id, kind, key, stream, payload, state, attempts, receipt, error, created_at, settled_at from (
    select * from store_effects
    where subscription_id is null and (%(after)s::uuid is null or id > %(after)s::uuid) and (%(kind)s::text is null or kind = %(kind)s::text)
      and (%(sent)s::boolean or state <> 'sent')
      and (not exists (select from unnest(%(passing)s::text[]) as prefix (text) where starts_with(key, prefix.text))
           or exists (select from unnest(%(standing)s::text[]) as prefix (text) where starts_with(key, prefix.text)))
    order by id desc limit %(limit)s::int
) newest order by id

-- name: held_leases
-- The leases that have not run out.
select name, holder from store_leases where until >= frasier_now() order by name

-- name: count_effects
-- Effects of one kind of the last days by the beginnings of their keys: how many, and the newest of each.
select p.prefix, count(*) as effects, max(e.created_at) as last_at,
    (array_agg(e.payload order by e.created_at desc, e.id desc))[1:%(newest)s::int] as newest
from unnest(%(prefixes)s::text[]) as p (prefix)
join store_effects e on e.kind = %(kind)s::text and starts_with(e.key, p.prefix)
    and e.created_at > frasier_now() - make_interval(days => %(days)s::int)
group by p.prefix order by max(e.created_at) desc
