-- Skills of third parties: each addition of a folder is a row with its files, whose hash is pinned. It becomes a version of
-- its skill when it is approved, and never again once it is quarantined or replaced.
create table org_skill_packages (
    id uuid primary key,
    skill text not null check (skill ~ '^[a-z][a-z0-9_]{0,79}$'),
    source text not null check (source <> ''),
    -- The folder that it was read from, whose copy is compared at each load; '' for a commit.
    folder text not null,
    digest text not null check (digest ~ '^[0-9a-f]{64}$'),
    -- Those who are given the skill when it is approved.
    agents uuid[] not null default '{}',
    state text not null default 'added' check (state in ('added', 'scanned', 'approved', 'quarantined', 'replaced')),
    why text not null default '',
    changed_by text not null check (changed_by <> ''),
    changed_at timestamptz not null default frasier_now(),
    version integer,
    added_at timestamptz not null default frasier_now(),
    constraint an_approved_package_has_a_version check (state <> 'approved' or version is not null),
    constraint a_package_becomes_a_version foreign key (skill, version) references org_skill_versions
);
create index org_skill_packages_skill on org_skill_packages (skill, id desc);
create unique index org_skill_packages_approved on org_skill_packages (skill) where state = 'approved';

create table org_skill_package_files (
    package_id uuid not null references org_skill_packages,
    path text not null check (path <> ''),
    content bytea not null check (length(content) <= 262144),
    primary key (package_id, path)
);

-- The results of gates, for the files with a hash. The newest of each gate counts.
create table org_skill_gates (
    number bigint generated always as identity primary key,
    package_id uuid not null references org_skill_packages,
    gate text not null check (gate in ('rules', 'scanner', 'service', 'review')),
    outcome text not null check (outcome in ('passed', 'flagged', 'failed', 'not_run')),
    digest text not null,
    detail text not null,
    findings jsonb not null check (jsonb_typeof(findings) = 'array'),
    actor text not null check (actor <> ''),
    at timestamptz not null default frasier_now()
);
create index org_skill_gates_package on org_skill_gates (package_id, gate, number desc);
