-- name: take_lease
-- Takes or renews a named lease; no row if another process holds it. One that ends later than any lease was taken before
-- the clock went back.
insert into store_leases (name, holder, until)
values (%(name)s::text, %(holder)s::text, frasier_now() + make_interval(secs => %(lease_s)s::float8))
on conflict (name) do update set holder = excluded.holder, until = excluded.until
where store_leases.holder = excluded.holder or store_leases.until < frasier_now()
    or store_leases.until > frasier_now() + make_interval(secs => 2 * %(lease_s)s::float8)
returning name

-- name: drop_lease
-- Gives a lease back.
delete from store_leases where name = %(name)s::text and holder = %(holder)s::text
