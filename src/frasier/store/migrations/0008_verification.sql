-- The texts of sources, with which the statements of deliverables are compared, and the verdicts on these statements.

-- The whole text of a source as it was read, apart from its row, which lists are made of.
create table work_source_texts (
    mission_id uuid not null,
    number integer not null,
    content text not null,
    primary key (mission_id, number),
    foreign key (mission_id, number) references work_sources on delete cascade
);

-- The verdict on every statement of a version, with the passages that it was compared with.
alter table org_deliverables add column verification jsonb not null default '{"statements": []}';
