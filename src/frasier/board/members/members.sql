-- name: token_of_member
-- The valid token of a name, and whether it is the founder's.
select id, founder from memory_v_tokens where name = %(name)s::text

-- name: add_member
-- Insert a member, or replace its roles and boards.
insert into board_members (name, roles, boards, token_id)
values (%(name)s::text, %(roles)s::text[], %(boards)s::text[], %(token_id)s::uuid)
on conflict (name) do update
    set roles = excluded.roles, boards = excluded.boards, token_id = excluded.token_id, added_at = frasier_now(),
        removed_at = null
returning name, roles, boards, added_at, removed_at, true as has_token

-- name: remove_member
-- Remove a member.
update board_members set removed_at = frasier_now() where name = %(name)s::text and removed_at is null

-- name: list_members
-- All members, removed ones as well, and whether the token that they were added with is valid.
select name, roles, boards, added_at, removed_at,
    exists (select from memory_v_tokens k where k.id = m.token_id) as has_token
from board_members m order by name

-- name: member
-- The membership of a caller; none once its token is revoked, even if the name was given to another token since.
select name, roles, boards, added_at, removed_at, true as has_token from board_members m
where name = %(name)s::text and removed_at is null
  and exists (select from memory_v_tokens k where k.id = m.token_id)

-- name: ids_of_slugs
-- The ids of a board's tasks by their slugs.
select slug, id from workflow_tasks where group_id = %(group_id)s::uuid and slug = any(%(slugs)s::text[])

-- name: task_with_needs
-- A task of a board, with the kind and the id of every task that it depends on.
select t.id, array(
    select d.kind || ':' || d.depends_on from workflow_dependencies d where d.task_id = t.id
) as needs
from workflow_tasks t where t.group_id = %(group_id)s::uuid and t.slug = %(slug)s::text
