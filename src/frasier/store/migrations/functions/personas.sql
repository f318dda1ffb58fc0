create or replace function refuse_persona_change() returns trigger language plpgsql as $$
begin
    raise exception 'a version of a persona is never changed; a new version is added';
end $$;

create or replace function refuse_persona_act_change() returns trigger language plpgsql as $$
begin
    raise exception 'an act in the history of a persona is never changed; a new act is added';
end $$;
