-- The history of personas: who wrote each version with what hypothesis, and each act that put one in force or set it aside.
alter table org_personas
    add column actor text not null default 'system:frasier' check (actor <> ''),
    -- What the version is expected to change, empty where nothing was claimed.
    add column hypothesis text not null default '';

\ir functions/personas.sql

create table org_persona_acts (
    id bigint generated always as identity primary key,
    agent_id uuid not null references org_agents deferrable initially deferred,
    version integer not null,
    act text not null check (act in ('first', 'put_in_force', 'rolled_back', 'set_aside')),
    actor text not null check (actor <> ''),
    why text not null check (why <> ''),
    -- The trial that decided it, if one did.
    trial_id uuid,
    at timestamptz not null default frasier_now(),
    foreign key (agent_id, version) references org_personas (agent_id, version) deferrable initially deferred
);
create index org_persona_acts_agent on org_persona_acts (agent_id, id);

insert into org_persona_acts (agent_id, version, act, actor, why, at)
select p.agent_id, p.version, 'first', p.actor, p.why, p.created_at from org_personas p where p.version = 1
order by p.created_at, p.agent_id;
insert into org_persona_acts (agent_id, version, act, actor, why, at)
select p.agent_id, p.version, 'put_in_force', p.actor, p.why, p.created_at
from org_agents a join org_personas p on p.agent_id = a.id and p.version = a.persona_version
where a.persona_version > 1 order by p.created_at, p.agent_id;

create trigger persona_acts_are_kept before update or delete on org_persona_acts
    for each row execute function refuse_persona_act_change();
