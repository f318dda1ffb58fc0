-- name: seconds_at_rest
-- How long a mission had ended or was paused before it went on, until a moment.
with moves as (
    select kind, at, lead(at) over (order by seq) as next_at from events
    where stream = %(mission_id)s::uuid
      and kind = any(array['mission.delivered', 'mission.failed', 'mission.cancelled', 'mission.paused',
                           'mission.planning', 'mission.in_progress', 'mission.completed'])
)
select coalesce(sum(extract(epoch from least(next_at, %(until)s::timestamptz) - at)), 0)::float8 as seconds from moves
where kind in ('mission.delivered', 'mission.failed', 'mission.cancelled', 'mission.paused')
  and at < %(until)s::timestamptz and next_at is not null
