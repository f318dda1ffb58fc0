-- name: rests_of
-- The times in which a mission had ended or was paused before it went on, oldest first.
with moves as (
    select kind, at, lead(at) over (order by seq) as next_at from events
    where stream = %(mission_id)s::uuid
      and kind = any(array['mission.delivered', 'mission.failed', 'mission.cancelled', 'mission.paused',
                           'mission.planning', 'mission.in_progress', 'mission.completed'])
)
select at, next_at from moves
where kind in ('mission.delivered', 'mission.failed', 'mission.cancelled', 'mission.paused') and next_at is not null
order by at
