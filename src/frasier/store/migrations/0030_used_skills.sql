-- The versions of skills that the prompts of a run were given: the short text of some, the long one of those that the work
-- needed. A run that is taken over goes on with those of the attempt that gathered its context.
create table org_used_skills (
    task_id uuid not null references workflow_tasks,
    attempt integer not null check (attempt > 0),
    -- In whose name the request was made: a step's author, or its critic.
    agent_id uuid not null references org_agents,
    skill text not null,
    version integer not null,
    in_full boolean not null,
    used_at timestamptz not null default frasier_now(),
    primary key (task_id, attempt, agent_id, skill),
    constraint a_used_version_exists foreign key (skill, version) references org_skill_versions
);
create index org_used_skills_skill on org_used_skills (skill, version, used_at);
