-- The rules of a memory, in one function: as check constraints of their own, which PostgreSQL reads and plans anew in each
-- statement, the same rules took most of the time of a statement of one row. The lengths of a scope are checked without
-- counted repetitions, which took as long as all the others. A rule that is neither true nor false does not apply, as in a
-- check.
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
        -- A standing directive neither fades nor disappears; withdrawn, it says when.
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
