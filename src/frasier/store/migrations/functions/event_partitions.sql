-- Makes the partition of events for the month of `p_at`, in UTC, where it is missing. It runs with its owner's rights, and
-- with a fixed path, so that no temporary object can stand in for what it names. The table is made by itself and attached:
-- that waits for nobody who reads or appends.
create or replace function make_event_partition(p_at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    begins timestamp := date_trunc('month', p_at at time zone 'UTC');
    partition text := 'events_' || to_char(begins, 'YYYY_MM');
begin
    if to_regclass('public.' || partition) is not null then
        return false;
    end if;
    lock table events in share update exclusive mode;
    if to_regclass('public.' || partition) is not null then
        return false;  -- somebody else has made it meanwhile
    end if;
    execute format('create table public.%I (like public.events including defaults including constraints)', partition);
    execute format('create trigger events_no_truncate before truncate on public.%I'
                   ' for each statement execute function refuse_audit_log_change()', partition);
    execute format('alter table public.events attach partition public.%I for values from (%L) to (%L)', partition,
                   begins at time zone 'UTC', (begins + interval '1 month') at time zone 'UTC');
    return true;
end $$;

-- Makes the partitions of this month and of `p_months` after it, and returns how many were missing.
create or replace function make_event_partitions(p_months integer) returns integer
language sql volatile security definer set search_path = public, pg_temp as $$
    select count(*) filter (where make_event_partition(
        (date_trunc('month', frasier_now() at time zone 'UTC') + make_interval(months => n)) at time zone 'UTC'))::integer
    from generate_series(0, p_months) as n
$$;
