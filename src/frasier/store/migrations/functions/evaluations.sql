-- Evaluations are written once.
create or replace function refuse_evaluation_change() returns trigger language plpgsql as $$
begin
    raise exception 'evaluations are append-only';
end $$;
