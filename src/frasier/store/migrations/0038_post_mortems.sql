-- The post-mortem of each mission that has ended, as it was computed at its end; a mission that was taken up again has
-- one for each end. `shape` names the form of the document: one of another form is computed anew.
create table org_post_mortems (
    mission_id uuid not null references org_missions,
    ended_at timestamptz not null,
    shape text not null,
    document jsonb not null,
    stored_at timestamptz not null default frasier_now(),
    primary key (mission_id, ended_at)
);
create index org_post_mortems_ended on org_post_mortems (ended_at);
