-- Places in sources that their readers know: the lines at which the pages of a PDF or the fragments of an HTML page begin.
alter table work_source_texts add column marks jsonb not null default '[]';

-- The passages of a source that say of another one that it no longer holds, by their place among its passages.
create table work_revoking_passages (
    mission_id uuid not null,
    number integer not null,
    ordinal integer not null check (ordinal >= 0),
    content text not null,
    primary key (mission_id, number, ordinal),
    foreign key (mission_id, number) references work_sources on delete cascade
);
