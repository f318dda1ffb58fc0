-- The memories that the prompts of a mission's tasks were given, and what became of the work that used them.
create table org_used_memories (
    task_id uuid not null references workflow_tasks,
    -- A memory may be deleted later; what it said then stays.
    memory_id uuid not null,
    mission_id uuid not null references org_missions,
    -- In whose name the request was made: a step's author, or its critic.
    agent_id uuid not null references org_agents,
    kind text not null,
    title text not null,
    content text not null,
    outcome text check (outcome in ('accepted', 'rejected')),
    used_at timestamptz not null default frasier_now(),
    primary key (task_id, memory_id, agent_id)
);
create index org_used_memories_mission on org_used_memories (mission_id, used_at);

-- The queries of a version's author that found something.
alter table org_deliverables add column queries text[] not null default '{}';

-- Whether results of earlier missions may be sources beside the documents that the founder gave.
alter table org_missions add column with_earlier boolean not null default false;
