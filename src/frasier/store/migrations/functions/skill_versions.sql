create or replace function refuse_skill_version_change() returns trigger language plpgsql as $$
begin
    raise exception 'a version of a skill is never changed; a new version is added';
end $$;
