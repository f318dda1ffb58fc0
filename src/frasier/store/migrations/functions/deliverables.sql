-- A deliverable is never overwritten and never erased by a rejection.
create or replace function refuse_deliverable_change() returns trigger language plpgsql as $$
begin
    raise exception 'a version of a deliverable is never changed; a new version is added';
end $$;
