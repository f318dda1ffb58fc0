create or replace function refuse_persona_change() returns trigger language plpgsql as $$
begin
    raise exception 'a version of a persona is never changed; a new version is added';
end $$;
