-- name: token_of_member
-- Whether a name has a valid token, which, and whose.
select id, founder from memory_v_tokens where name = %(name)s::text

-- name: add_member
-- A member, or what it may do from now on.
insert into workflow_members (name, roles, projects, token_id)
values (%(name)s::text, %(roles)s::text[], %(projects)s::text[], %(token_id)s::uuid)
on conflict (name) do update
    set roles = excluded.roles, projects = excluded.projects, token_id = excluded.token_id, added_at = frasier_now(),
        removed_at = null
returning name, roles, projects, added_at, removed_at, true as has_token

-- name: remove_member
-- A member may do nothing any more.
update workflow_members set removed_at = frasier_now() where name = %(name)s::text and removed_at is null

-- name: list_members
-- All members, removed ones as well, and whether the token that they were added with is valid.
select name, roles, projects, added_at, removed_at,
    exists (select from memory_v_tokens k where k.id = m.token_id) as has_token
from workflow_members m order by name

-- name: member
-- What a caller may do now; nothing, once its token is revoked: also where the name was given to another token since.
select name, roles, projects, added_at, removed_at, true as has_token from workflow_members m
where name = %(name)s::text and removed_at is null
  and exists (select from memory_v_tokens k where k.id = m.token_id)

-- name: ids_of_slugs
-- The tasks that a board knows by these names.
select slug, id from workflow_tasks where group_id = %(group_id)s::uuid and slug = any(%(slugs)s::text[])
