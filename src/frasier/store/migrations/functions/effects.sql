-- Asks for an effect once: the same key again changes nothing.
create or replace function enqueue_effect(p_id uuid, p_kind text, p_key text, p_stream uuid, p_payload jsonb)
returns void language plpgsql as $$
begin
    insert into store_effects (id, kind, key, stream, payload) values (p_id, p_kind, p_key, p_stream, p_payload)
    on conflict (key) do nothing;
end $$;
