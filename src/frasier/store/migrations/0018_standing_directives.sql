-- A message may state standing rules: a class of its own, or beside a task.
alter table org_messages drop constraint org_messages_classification_check;
alter table org_messages add constraint org_messages_classification_check
    check (classification in ('casual', 'simple_task', 'full_project', 'standing_rule'));
-- The standing directives that were recorded from the message.
alter table org_messages add column directives uuid[] not null default '{}';

-- A standing directive is permanent until the founder withdraws it, and then says when that was.
create or replace function memory_item_is_sound(m memory_items) returns boolean language plpgsql immutable as $$
begin
    return m.kind in ('lesson', 'directive', 'task', 'marker', 'conversation', 'approach', 'decision', 'passage',
                      'observation')
        and m.scope ~ '^[a-z][a-z0-9_-]*(:[a-z0-9][a-z0-9._-]*)?$'
        and char_length(split_part(m.scope, ':', 1)) <= 32 and char_length(split_part(m.scope, ':', 2)) <= 100
        and char_length(m.title) <= 500
        and char_length(m.content) between 1 and 100000
        and cardinality(m.tags) <= 32
        and m.tier in ('constitutional', 'critical', 'important', 'normal', 'temporary', 'deprecated')
        and m.importance between 1 and 10
        and jsonb_typeof(m.provenance) = 'object'
        and octet_length(m.content_hash) = 32
        and m.length >= 0
        and (m.kind <> 'directive'
             or (m.tier = 'constitutional' and m.expires_at is null
                 and (m.archived_at is null or m.provenance ? 'withdrawn_at')))
        and (m.tier <> 'temporary' or m.expires_at is not null)
        and (m.indexed or (m.length = 0 and m.term_keys = '{}'))
        and m.memory_type in ('working', 'episodic', 'prospective', 'implicit', 'declarative', 'procedural',
                              'semantic', 'autobiographical', 'meta-cognitive')
        and m.type_source in ('explicit', 'path', 'tier', 'keywords', 'default')
        and m.type_confidence between 0 and 1
        and cardinality(m.triggers) <= 50
        and (m.thread is null or char_length(m.thread) between 1 and 200)
        and (m.speaker is null or char_length(m.speaker) between 1 and 100)
        and m.version >= 1
        and (m.valid_from is null or m.valid_until is null or m.valid_until >= m.valid_from);
end $$;

-- Approaches used to be stored before the review: those of work that was never accepted, and of versions before the
-- accepted one, are no longer recalled as what worked.
update memory_items m set archived_at = now()
where m.kind = 'approach' and m.archived_at is null and m.task_id is not null and m.provenance ? 'score'
    and (not exists (select from workflow_tasks t where t.id = m.task_id and t.outcome = 'completed')
         or exists (select from memory_items newer
                    where newer.task_id = m.task_id and newer.kind = 'approach' and newer.num > m.num));
