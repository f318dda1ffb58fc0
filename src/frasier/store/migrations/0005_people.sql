-- Teams, agents, the versions of their personas, and their skills.

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
    created_at timestamptz not null default now(),
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
    created_at timestamptz not null default now(),
    primary key (agent_id, version)
);

-- Checked at commit, so that an agent and its persona, or a team and its lead, can be made together: an agent
-- without a persona cannot be stored.
alter table org_agents add constraint an_agent_has_a_persona
    foreign key (id, persona_version) references org_personas (agent_id, version) deferrable initially deferred;
alter table org_teams add constraint the_lead_is_an_agent
    foreign key (lead) references org_agents deferrable initially deferred;

create function refuse_persona_change() returns trigger language plpgsql as $$
begin
    raise exception 'a version of a persona is never changed; a new version is added';
end $$;
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
