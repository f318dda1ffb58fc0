-- Saves a marker. A marker's postings are made later, by a job.
create or replace function save_marker(
    p_id uuid, p_scope text, p_content text, p_agent_id uuid, p_task_id uuid, p_provenance jsonb, p_content_hash bytea
) returns void language plpgsql as $$
begin
    insert into memory_items (id, kind, scope, content, agent_id, task_id, provenance, content_hash)
    values (p_id, 'marker', p_scope, p_content, p_agent_id, p_task_id, p_provenance, p_content_hash);
end $$;
