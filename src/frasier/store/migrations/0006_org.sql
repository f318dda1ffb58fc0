-- Teams, agents, the versions of their personas, and their skills; missions, their plans, steps and deliverables; reviews;
-- questions for the founder.

create table org_teams (
    id text primary key check (id ~ '^[a-z][a-z0-9-]*$'),
    name text not null check (name <> ''),
    description text not null,
    lead uuid,
    status text not null default 'active' check (status in ('active', 'dormant'))
);

create table org_agents (
    id uuid primary key,
    key text not null unique check (key ~ '^[a-z][a-z0-9-]*$'),
    name text not null check (name <> ''),
    role text not null check (role in
        ('strategy', 'research', 'content', 'engineering', 'qa', 'growth', 'knowledge')),
    title text not null check (title <> ''),
    team text references org_teams,
    kind text not null check (kind in ('chief_of_staff', 'team_lead', 'sub_agent', 'qa')),
    status text not null default 'active' check (status in ('active', 'dormant', 'retired')),
    persona_version integer not null check (persona_version > 0),
    created_at timestamptz not null default frasier_now(),
    constraint only_the_chief_stands_above_the_teams check ((kind = 'chief_of_staff') = (team is null))
);
-- Retiring gives the name back.
create unique index org_agents_name on org_agents (lower(name)) where status <> 'retired';
create unique index org_agents_one_chief on org_agents (kind) where kind = 'chief_of_staff' and status <> 'retired';

create table org_personas (
    agent_id uuid not null references org_agents,
    version integer not null check (version > 0),
    identity text not null check (length(identity) between 1 and 4000),
    soul text not null check (length(soul) between 1 and 4000),
    method text not null check (length(method) between 1 and 4000),
    standards text not null check (length(standards) between 1 and 4000),
    why text not null check (why <> ''),
    created_at timestamptz not null default frasier_now(),
    primary key (agent_id, version)
);

-- Checked at commit, so that an agent and its persona, or a team and its lead, can be made together: an agent
-- without a persona cannot be stored.
alter table org_agents add constraint an_agent_has_a_persona
    foreign key (id, persona_version) references org_personas (agent_id, version) deferrable initially deferred;
alter table org_teams add constraint the_lead_is_an_agent
    foreign key (lead) references org_agents deferrable initially deferred;

\ir functions/personas.sql
create trigger personas_are_kept before update or delete on org_personas
    for each row execute function refuse_persona_change();

create table org_skills (
    agent_id uuid not null references org_agents,
    skill text not null check (skill ~ '^[a-z][a-z0-9_]*$'),
    level smallint not null default 1 check (level between 1 and 10),
    uses integer not null default 0 check (uses >= 0),
    last_used timestamptz,
    primary key (agent_id, skill),
    check (uses = 0 or last_used is not null)
);

create table org_missions (
    id uuid primary key,
    title text not null check (title <> ''),
    directive text not null check (directive <> ''),
    status text not null check (status in
        ('planning', 'in_progress', 'paused', 'completed', 'delivered', 'failed', 'cancelled')),
    status_before_pause text check ((status_before_pause is not null) = (status = 'paused')),
    destination text not null,
    delivered_path text,
    rehearsal boolean not null,
    web_search boolean not null default false,
    source_count integer not null default 0,
    skipped_sources text[] not null default '{}',
    final_deliverable uuid,
    failure text,
    created_at timestamptz not null default frasier_now(),
    updated_at timestamptz not null default frasier_now(),
    completed_at timestamptz,
    delivered_at timestamptz,
    constraint complete_means_a_deliverable
        check (status not in ('completed', 'delivered') or (final_deliverable is not null and completed_at is not null)),
    constraint delivered_means_a_path check (status <> 'delivered' or (delivered_path is not null and delivered_at is not null)),
    constraint failed_means_a_reason check (status <> 'failed' or failure is not null)
);
create index org_missions_newest on org_missions (created_at desc);

-- Everything that was ever asked of the organisation, and its classification. A message may state standing rules: a class
-- of its own, or beside a task.
create table org_messages (
    id uuid primary key,
    text text not null check (text <> ''),
    classification text check (classification in ('casual', 'simple_task', 'full_project', 'standing_rule')),
    confidence double precision,
    reasoning text,
    answer text,
    mission_id uuid references org_missions,
    -- The standing directives that were recorded from the message.
    directives uuid[] not null default '{}',
    -- Actions that the founder is advised to take, for each interface to render.
    advice jsonb not null default '[]' check (jsonb_typeof(advice) = 'array'),
    created_at timestamptz not null default frasier_now(),
    answered_at timestamptz
);

create table org_plans (
    mission_id uuid not null references org_missions,
    version integer not null check (version > 0),
    plan jsonb not null,
    issues text[] not null,
    accepted boolean not null,
    created_at timestamptz not null default frasier_now(),
    primary key (mission_id, version),
    check (not accepted or issues = '{}')
);

create table org_steps (
    task_id uuid primary key references workflow_tasks,
    mission_id uuid not null references org_missions,
    key text not null,
    title text not null,
    instruction text not null,
    acceptance text[] not null,
    role text not null,
    agent_id uuid not null references org_agents,
    tier text not null check (tier in ('T1', 'T2', 'T3')),
    is_final boolean not null,
    sources_needed integer not null check (sources_needed >= 0),
    queries_needed integer not null check (queries_needed >= 0),
    unique (mission_id, key)
);
create unique index org_steps_one_final on org_steps (mission_id) where is_final;

create table org_deliverables (
    id uuid primary key,
    task_id uuid not null references org_steps,
    mission_id uuid not null references org_missions,
    version integer not null check (version > 0),
    attempt integer not null check (attempt > 0),
    content text not null check (length(content) >= 40),
    digest text not null,
    citations jsonb not null,
    critique jsonb,
    critique_mean double precision,
    questions text[] not null,
    tier_asked text not null,
    tier_served text not null,
    provider text not null,
    model text not null,
    degraded boolean not null,
    rehearsal boolean not null,
    created_at timestamptz not null default frasier_now(),
    unique (task_id, version)
);
alter table org_missions add foreign key (final_deliverable) references org_deliverables;
\ir functions/deliverables.sql
create trigger deliverables_are_kept before update or delete on org_deliverables
    for each row execute function refuse_deliverable_change();

create table org_reviews (
    id uuid primary key,
    deliverable_id uuid not null references org_deliverables,
    step_id uuid not null references org_steps,
    review_task uuid references workflow_tasks,
    kind text not null check (kind in ('policy', 'qa', 'lead', 'expert')),
    reviewer uuid references org_agents,
    tier text,
    state text not null check (state in ('pending', 'approved', 'rejected', 'withdrawn')),
    scores jsonb,
    overall double precision,
    feedback text,
    created_at timestamptz not null default frasier_now(),
    reviewed_at timestamptz,
    unique (deliverable_id, kind),
    -- An approval needs a computed reason, and nobody approves without having looked.
    constraint verdict_has_a_reason check (state in ('pending', 'withdrawn')
        or (feedback is not null and feedback <> '' and scores is not null and reviewed_at is not null)),
    constraint reviewer_or_policy check ((kind = 'policy') = (reviewer is null))
);
create index org_reviews_step on org_reviews (step_id, created_at);

create table org_questions (
    id uuid primary key,
    kind text not null check (kind in ('blocked', 'escalation', 'strikes')),
    mission_id uuid references org_missions,
    task_id uuid references workflow_tasks,
    question text not null,
    options text[] not null check (cardinality(options) > 0),
    bound_to text not null,
    asked_at timestamptz not null default frasier_now(),
    answer text,
    note text,
    -- As for a message.
    advice jsonb not null default '[]' check (jsonb_typeof(advice) = 'array'),
    answered_at timestamptz,
    withdrawn_at timestamptz,
    check ((answer is null) = (answered_at is null)),
    check (answer is null or withdrawn_at is null)
);
create index org_questions_open on org_questions (asked_at) where answered_at is null and withdrawn_at is null;
create unique index org_questions_once on org_questions (task_id, bound_to)
    where answered_at is null and withdrawn_at is null;
