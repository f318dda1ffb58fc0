-- name: model_troubles
-- The services whose models fail for a passing reason in open missions, or in one of them: the first failed call since a
-- service answered in that mission. What has stopped a task waits for the founder, and is told there.
with failing as (
    select c.provider, c.error_code, c.error, c.ended_at, t.status
    from org_missions m
    join llm_calls c on c.mission_id = m.id
    join workflow_tasks t on t.id = c.task_id
    where m.status in ('planning', 'in_progress') and m.id = coalesce(%(mission_id)s::uuid, m.id)
      and c.error_code = any(%(codes)s::text[]) and t.ended_at is null and not t.held
      and not exists (
          select from llm_calls answered
          where answered.mission_id = m.id and answered.provider = c.provider and answered.state = 'settled'
            and answered.ended_at > c.ended_at)
)
select provider, error_code as code, (array_agg(error order by ended_at))[1] as cause,
    min(ended_at) as since, max(ended_at) as last_at
from failing f
where not exists (
    select from failing stopped
    where stopped.provider = f.provider and stopped.error_code = f.error_code and stopped.status = 'blocked')
group by provider, error_code order by provider, error_code
