-- name: present
-- The present moment of the database's clock.
select frasier_now() as moment
