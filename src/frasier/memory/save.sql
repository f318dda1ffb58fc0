-- name: save_items
-- Stores memories with their postings, triggers and embedding jobs. An existing memory is counted again, and raised to
-- a higher tier or importance, never lowered. One whose validity had ended holds again.
with input as materialized (
    select new_memory(g.memory) as memory, g.frequencies, g.trigger_keys
    from jsonb_to_recordset(%(items)s::jsonb) as g (memory jsonb, frequencies smallint[], trigger_keys text[])
), saved as (
    insert into memory_items overriding user value select (memory).* from input
    on conflict (content_hash, scope, kind, agent_id)
        where kind not in ('conversation', 'marker', 'passage') and tier <> 'deprecated' and archived_at is null
            and file_id is null
    do update set
        access_count = memory_items.access_count + 1,
        last_seen_at = frasier_now(),
        valid_until = case
            when memory_items.valid_until <= frasier_now()
                and (memory_items.valid_from > excluded.valid_until) is not true
            then excluded.valid_until else memory_items.valid_until end,
        importance = greatest(memory_items.importance, excluded.importance),
        (tier, expires_at) = (
            select rank.tier, case when rank.tier = 'temporary' then excluded.expires_at end
            from unnest('{constitutional,critical,important,normal,temporary}'::text[]) with ordinality
                as rank (tier, nth)
            where rank.tier in (memory_items.tier, excluded.tier) order by nth limit 1)
    returning id, num, scope, kind, agent_id, content_hash
), posted as (
    insert into memory_terms (term_key, memory_num, tf, dl)
    select term.key, saved.num, term.tf, (input.memory).length
    from saved join input on (input.memory).id = saved.id
        cross join lateral unnest((input.memory).term_keys, input.frequencies) as term (key, tf)
    order by 1, 2
), called as (
    insert into memory_triggers (scope, phrase, memory_id)
    select saved.scope, phrase, saved.id
    from saved join input on (input.memory).id = saved.id cross join lateral unnest(input.trigger_keys) as phrase
    on conflict do nothing
), owed as (
    insert into memory_embedding_jobs (memory_num, space_id, scope)
    select saved.num, space.id, saved.scope
    from saved join input on (input.memory).id = saved.id cross join memory_spaces space
    where space.state in ('active', 'building') order by 1, 2
), noted as (
    insert into memory_changes (scope) select distinct scope from saved
)
select id, scope, kind, agent_id, content_hash from saved

-- name: save_marker
-- Stores one marker, whose postings a job makes later.
select save_marker(%(id)s::uuid, %(scope)s::text, %(content)s::text, %(agent_id)s::uuid, %(task_id)s::uuid,
    %(provenance)s::jsonb, %(content_hash)s::bytea)

-- name: lock_item
-- Locks a memory that is about to be changed.
select * from memory_items where id = %(id)s::uuid for update

-- name: keep_version
-- Keeps the current content of a memory as a version before it is replaced.
insert into memory_versions (memory_id, version, title, content, tags, triggers, reason)
select id, version, title, content, tags, triggers, %(reason)s::text from memory_items where id = %(id)s::uuid

-- name: replace_item
-- Replaces the content of a memory with new postings and triggers.
with input as materialized (
    select (g.memory).*, g.frequencies, g.trigger_keys
    from jsonb_to_recordset(%(items)s::jsonb) as g (memory memory_items, frequencies smallint[], trigger_keys text[])
), changed as (
    update memory_items m set title = g.title, content = g.content, tags = g.tags, tier = g.tier,
        importance = g.importance, provenance = g.provenance, content_hash = g.content_hash, indexed = true,
        length = g.length, term_keys = g.term_keys, memory_type = g.memory_type, type_source = g.type_source,
        type_confidence = g.type_confidence, triggers = g.triggers, thread = g.thread, speaker = g.speaker,
        occurred_at = g.occurred_at, valid_from = g.valid_from, valid_until = g.valid_until,
        expires_at = case when g.tier = 'temporary' then coalesce(m.expires_at, frasier_now() + interval '7 days') end,
        version = m.version + 1, updated_at = frasier_now(), last_seen_at = frasier_now(), archived_at = null
    from input g where m.id = g.id
    returning m.id, m.num, m.scope, m.version
), posted as (
    insert into memory_terms (term_key, memory_num, tf, dl)
    select term.key, changed.num, term.tf, input.length
    from changed join input using (id) cross join lateral unnest(input.term_keys, input.frequencies) as term (key, tf)
    order by 1, 2
), called as (
    insert into memory_triggers (scope, phrase, memory_id)
    select changed.scope, phrase, changed.id
    from changed join input using (id) cross join lateral unnest(input.trigger_keys) as phrase
), noted as (
    insert into memory_changes (scope) select scope from changed
)
select version from changed

-- name: drop_postings
-- Deletes the postings of one memory, by its own keys.
delete from memory_terms where memory_num = %(num)s::bigint and term_key = any(%(term_keys)s::bigint[])

-- name: drop_triggers
-- Deletes the trigger phrases of a memory.
delete from memory_triggers where memory_id = %(id)s::uuid

-- name: drop_vectors
-- Deletes the outdated vectors and token states of a memory, and enqueues new ones.
with gone as (
    delete from memory_vectors where memory_num = %(num)s::bigint
), states as (
    delete from memory_token_states where memory_num = %(num)s::bigint
)
insert into memory_embedding_jobs (memory_num, space_id, scope)
select m.num, s.id, m.scope from memory_items m cross join memory_spaces s
where m.num = %(num)s::bigint and s.state in ('active', 'building')
on conflict (memory_num, space_id) do update
    set attempts = 0, failed = false, reason = '', next_try_at = frasier_now()

-- name: archive_of_origin
-- Archives the memories of a scope whose provenance holds an origin.
with archived as (
    update memory_items set archived_at = frasier_now(), updated_at = frasier_now()
    where scope = %(scope)s::text and provenance @> %(origin)s::jsonb and archived_at is null and kind <> 'directive'
    returning id, scope
), noted as (
    insert into memory_changes (scope) select distinct scope from archived
)
select id from archived

-- name: archive_item
-- Archives a memory, so that no recall finds it; it stays readable by its id.
with archived as (
    update memory_items set archived_at = frasier_now(), updated_at = frasier_now()
    where id = %(id)s::uuid and archived_at is null and kind <> 'directive'
    returning scope
), noted as (
    insert into memory_changes (scope) select scope from archived
)
select scope from archived
