-- The founder's policies: each change is a new version of its subject, and none is ever changed or deleted.
create table org_policies (
    subject text not null check (subject ~ '^[a-z][a-z_]*$'),
    version integer not null check (version > 0),
    rules jsonb not null check (jsonb_typeof(rules) = 'object'),
    why text not null,
    actor text not null check (actor <> ''),
    set_at timestamptz not null default frasier_now(),
    primary key (subject, version)
);
