-- name: teams
-- The teams.
select id, name, description, lead, status from org_teams order by id

-- name: set_team_status
-- The status of a team.
update org_teams set status = %(status)s::text where id = %(id)s::text returning id, name, description, lead, status
