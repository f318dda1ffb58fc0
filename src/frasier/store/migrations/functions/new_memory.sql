-- Converts a memory from JSON with its columns by name to a row of the table; columns that are absent have their defaults.
-- A temporary memory without an end expires after a week.
create or replace function new_memory(p_columns jsonb) returns memory_items language plpgsql stable as $$
declare
    memory memory_items;
begin
    memory.indexed := true;
    memory.access_count := 0;
    memory.version := 1;
    memory.created_at := frasier_now();
    memory.last_seen_at := memory.created_at;
    memory.updated_at := memory.created_at;
    memory := jsonb_populate_record(memory, p_columns);
    if memory.tier = 'temporary' and memory.expires_at is null then
        memory.expires_at := frasier_now() + interval '7 days';
    end if;
    return memory;
end $$;
