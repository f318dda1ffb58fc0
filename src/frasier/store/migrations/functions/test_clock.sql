-- Marks an empty database as one for tests, whose clock can be offset. Only the role that owns the schema may.
create or replace function mark_test_database() returns void language plpgsql as $$
begin
    if exists (select from events) then
        raise exception 'a database that holds events cannot become a test database';
    end if;
    insert into store_test_databases default values on conflict do nothing;
end $$;

-- Offsets the clock of a test database for all transactions that begin from now on. It replaces the function that tells the
-- time, which only its owner may, so that a database that is not one for tests pays nothing for it.
create or replace function offset_test_clock(p_offset interval) returns void language plpgsql as $$
begin
    if not exists (select from store_test_databases) then
        raise exception 'the clock of a database that is not marked as a test database cannot be offset';
    end if;
    execute format('create or replace function frasier_now() returns timestamptz language sql stable parallel safe'
                   ' return now() + interval %L', p_offset);
end $$;
