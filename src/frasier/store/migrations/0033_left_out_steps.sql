-- Steps that the founder left out of a mission, and the notes that go with an accepted result: both are told to the
-- steps that build on them.
create table org_left_out_steps (
    task_id uuid primary key references org_steps,
    mission_id uuid not null references org_missions,
    reason text not null check (reason <> ''),
    -- The steps that would have built on it, directly or through others.
    dependants uuid[] not null,
    left_out_at timestamptz not null default frasier_now()
);
create index org_left_out_steps_mission on org_left_out_steps (mission_id);

create table org_handover_notes (
    deliverable_id uuid primary key references org_deliverables,
    task_id uuid not null references org_steps,
    found text not null check (found <> ''),
    unsettled text[] not null,
    traps text[] not null,
    noted_at timestamptz not null default frasier_now()
);
create index org_handover_notes_task on org_handover_notes (task_id);
