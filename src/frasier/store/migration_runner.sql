-- name: unknown_migrations
-- The migrations of the database that a program does not know, in order.
select name from store_migrations where name <> all(%(known)s::text[]) and name not like 'functions/%%' order by name
