-- Tests count for the work that they were run on: the digest of what the task then held. What was run before has none,
-- and is run again.
alter table workflow_evidence add column work text not null default '';

-- A member is who holds the token that was there when they were added: the name may be given again, to somebody else.
create or replace view memory_v_tokens as select name, founder, id from memory_tokens where revoked_at is null;
alter table workflow_members add column token_id uuid;
update workflow_members m set token_id = k.id from memory_tokens k where 'token:' || k.name = m.name;

-- What an outside brain was told, so that it is told the same again under the same key.
alter table workflow_brain_intents add column text text not null default '';

-- When something outside that moves need was down: the founder is told once of each time.
create table workflow_outages (
    id uuid primary key,
    what text not null check (what <> ''),
    why text not null,
    began_at timestamptz not null default now(),
    ended_at timestamptz
);
create unique index workflow_outages_open on workflow_outages (what) where ended_at is null;

-- What was reopened before now is waited for, as what is reopened from now on.
with waiting as (
    update workflow_dependencies d set satisfied = false from workflow_tasks n
    where n.id = d.depends_on and d.kind = 'blocks' and d.satisfied and n.outcome is distinct from 'completed'
    returning d.task_id
)
update workflow_tasks t set pending_deps = t.pending_deps + w.edges
from (select task_id, count(*)::int as edges from waiting group by task_id) w where t.id = w.task_id;
