-- name: present_moment
-- The time of the database, which all processes share.
select frasier_clock() as moment
