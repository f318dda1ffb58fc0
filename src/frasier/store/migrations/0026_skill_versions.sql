-- The methods of skills: a short text for every prompt and a long one for the steps that need it. Each version is kept.
create table org_skill_versions (
    skill text not null check (skill ~ '^[a-z][a-z0-9_]{0,79}$'),
    version integer not null check (version > 0),
    short text not null check (length(short) between 1 and 600),
    long text not null check (length(long) between 1 and 20000),
    origin text not null check (origin in ('catalogue', 'upskill', 'third_party')),
    -- What it was written from: a file of the catalogue, a task, a folder or commit; with the hash of that, if it has one.
    source text not null,
    source_digest text not null default '',
    actor text not null check (actor <> ''),
    why text not null check (why <> ''),
    added_at timestamptz not null default frasier_now(),
    primary key (skill, version)
);
\ir functions/skill_versions.sql
create trigger skill_versions_are_kept before update or delete on org_skill_versions
    for each row execute function refuse_skill_version_change();

-- The version of each skill that prompts are given.
create table org_skills_in_force (
    skill text primary key,
    version integer not null,
    actor text not null check (actor <> ''),
    why text not null check (why <> ''),
    since timestamptz not null default frasier_now(),
    constraint a_version_in_force_exists foreign key (skill, version) references org_skill_versions
);
