-- name: missions_without_post_mortem
-- The missions that have ended, those of the latest end first, of which no post-mortem was stored since.
select m.id from org_missions m
where m.status in ('completed', 'delivered', 'failed', 'cancelled') and not exists (
    select from org_post_mortems p where p.mission_id = m.id and p.stored_at >= m.updated_at
)
order by m.updated_at desc, m.id

-- name: store_post_mortem
-- Stores a post-mortem; one of the same end is replaced.
insert into org_post_mortems (mission_id, ended_at, shape, document)
values (%(mission_id)s::uuid, %(ended_at)s::timestamptz, %(shape)s::text, %(document)s::jsonb)
on conflict (mission_id, ended_at) do update
set shape = excluded.shape, document = excluded.document, stored_at = excluded.stored_at

-- name: stored_post_mortem
-- The post-mortem of the last end of a mission.
select mission_id, ended_at, shape, document, stored_at from org_post_mortems
where mission_id = %(mission_id)s::uuid order by ended_at desc limit 1

-- name: missions_ended_since
-- The missions that have ended since a moment, with or without a model, the last ones first.
select m.id from org_missions m
where m.status in ('completed', 'delivered', 'failed', 'cancelled') and m.rehearsal = %(rehearsal)s::boolean
    and (%(since)s::timestamptz is null or m.updated_at >= %(since)s::timestamptz)
order by m.updated_at desc, m.id limit %(limit)s::int
