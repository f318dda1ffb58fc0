-- The rules of a memory; see rules.sql. The lengths of a scope are checked without counted repetitions, which took as long as
-- all the others.
create or replace function memory_item_is_sound(m memory_items) returns boolean language plpgsql immutable as $$
begin
    return coalesce(public.refuse_row('memory_items', case
        when not (m.kind in ('lesson', 'directive', 'task', 'marker', 'conversation', 'approach', 'decision', 'passage',
                             'observation')) then 'kind_is_known'
        when not (m.scope ~ '^[a-z][a-z0-9_-]*(:[a-z0-9][a-z0-9._-]*)?$') then 'scope_is_well_formed'
        when not (char_length(split_part(m.scope, ':', 1)) <= 32 and char_length(split_part(m.scope, ':', 2)) <= 100)
            then 'scope_is_short'
        when not (char_length(m.title) <= 500) then 'title_is_short'
        when not (char_length(m.content) between 1 and 100000) then 'content_has_a_length'
        when not (cardinality(m.tags) <= 32) then 'tags_are_few'
        when not (m.tier in ('constitutional', 'critical', 'important', 'normal', 'temporary', 'deprecated'))
            then 'tier_is_known'
        when not (m.importance between 1 and 10) then 'importance_is_1_to_10'
        when not (jsonb_typeof(m.provenance) = 'object') then 'provenance_is_an_object'
        when not (octet_length(m.content_hash) = 32) then 'content_hash_has_32_bytes'
        when not (m.length >= 0) then 'length_is_counted'
        -- A standing directive neither fades nor disappears; withdrawn, it says when.
        when not (m.kind <> 'directive' or (m.tier = 'constitutional' and m.expires_at is null
                  and (m.archived_at is null or m.provenance ? 'withdrawn_at'))) then 'directive_is_permanent'
        when not (m.tier <> 'temporary' or m.expires_at is not null) then 'temporary_has_an_end'
        when not (m.indexed or (m.length = 0 and m.term_keys = '{}')) then 'indexed_has_terms'
        when not (m.memory_type in ('working', 'episodic', 'prospective', 'implicit', 'declarative', 'procedural',
                                    'semantic', 'autobiographical', 'meta-cognitive')) then 'memory_type_is_known'
        when not (m.type_source in ('explicit', 'path', 'tier', 'keywords', 'default')) then 'type_source_is_known'
        when not (m.type_confidence between 0 and 1) then 'type_confidence_is_0_to_1'
        when not (cardinality(m.triggers) <= 50) then 'triggers_are_few'
        when not (m.thread is null or char_length(m.thread) between 1 and 200) then 'thread_has_a_length'
        when not (m.speaker is null or char_length(m.speaker) between 1 and 100) then 'speaker_has_a_length'
        when not (m.version >= 1) then 'version_is_counted'
        when not (m.valid_from is null or m.valid_until is null or m.valid_until >= m.valid_from)
            then 'validity_ends_after_it_begins'
    end), true);
end $$;
