-- The record of an admission repeats the words of both memories that it compared, so it is deleted with either. Every
-- record names both: without one, that memory was deleted before.
delete from memory_admissions where memory_id is null or existing_id is null;
alter table memory_admissions drop constraint memory_admissions_memory_id_fkey;
alter table memory_admissions drop constraint memory_admissions_existing_id_fkey;
alter table memory_admissions
    add foreign key (memory_id) references memory_items (id) on delete cascade,
    add foreign key (existing_id) references memory_items (id) on delete cascade;

-- The memories that a checkpoint holds, so that whoever deletes one is told; unknown for earlier checkpoints.
alter table memory_checkpoints add column memory_ids uuid[];
