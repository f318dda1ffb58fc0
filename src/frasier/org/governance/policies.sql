-- name: policy_in_force
-- The newest version of a policy; none where its defaults hold.
select subject, version, rules, why, actor, set_at from org_policies
where subject = %(subject)s::text order by version desc limit 1

-- name: policy_history
-- The versions of a policy, newest first.
select subject, version, rules, why, actor, set_at from org_policies
where subject = %(subject)s::text order by version desc limit %(limit)s::int

-- name: insert_policy
-- Stores the next version of a policy, unless somebody else stored it first.
insert into org_policies (subject, version, rules, why, actor)
values (%(subject)s::text, %(version)s::int, %(rules)s::jsonb, %(why)s::text, %(actor)s::text)
on conflict do nothing
returning subject, version, rules, why, actor, set_at
