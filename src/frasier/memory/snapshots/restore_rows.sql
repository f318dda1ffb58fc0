-- name: restore_items
-- Restores memories under their own ids and numbers, with new postings; skips those that collide with existing ones.
-- A memory whose file no longer exists loses its link to the file.
with given as materialized (
    select new_memory(case when f.id is null then g.memory - 'file_id' else g.memory end) as memory, g.frequencies
    from jsonb_to_recordset(%(records)s::jsonb) as g (memory jsonb, frequencies smallint[])
    left join memory_files f on f.id = (g.memory ->> 'file_id')::uuid
), saved as (
    insert into memory_items overriding system value
    select (memory).* from given order by (memory).num
    on conflict do nothing
    returning id, num
), posted as (
    insert into memory_terms (term_key, memory_num, tf, dl)
    select term.key, saved.num, term.tf, (given.memory).length
    from saved join given on (given.memory).id = saved.id
        cross join lateral unnest((given.memory).term_keys, given.frequencies) as term (key, tf)
    order by 1, 2
)
select id, num from saved

-- name: find_existing
-- For each memory of a snapshot the one that exists (itself, that of its file, or one with the same content), and
-- whether that one says something else now.
with given as (
    select g.*, coalesce(
        (select m.id from memory_items m where m.id = g.id),
        (select m.id from memory_items m where m.file_id = g.file_id),
        (select m.id from memory_items m
         where m.content_hash = g.content_hash and m.scope = g.scope and m.kind = g.kind
            and m.agent_id is not distinct from g.agent_id and m.kind not in ('conversation', 'marker', 'passage')
            and m.tier <> 'deprecated' and m.archived_at is null and m.file_id is null)) as existing_id
    from jsonb_to_recordset(%(records)s::jsonb) as g (
        id uuid, file_id uuid, content_hash bytea, scope text, kind text, agent_id uuid, version int)
)
select given.id, existing_id,
    coalesce(m.content_hash <> given.content_hash or (m.id = given.id and m.version <> given.version), false) as changed
from given left join memory_items m on m.id = existing_id

-- name: restore_versions
-- Earlier versions of restored memories.
insert into memory_versions (memory_id, version, title, content, tags, triggers, reason, replaced_at)
select memory_id, version, title, content, tags, triggers, reason, replaced_at
from jsonb_to_recordset(%(records)s::jsonb) as g (memory_id uuid, version int, title text, content text, tags text[],
    triggers text[], reason text, replaced_at timestamptz)

-- name: restore_triggers
-- The trigger phrases of restored memories.
insert into memory_triggers (scope, phrase, memory_id)
select scope, phrase, memory_id
from jsonb_to_recordset(%(records)s::jsonb) as g (scope text, phrase text, memory_id uuid)

-- name: restore_unresolved_links
-- The unresolved references of restored memories.
insert into memory_unresolved_links (memory_id, relation, reference, noted_at)
select memory_id, relation, reference, noted_at
from jsonb_to_recordset(%(records)s::jsonb) as g (memory_id uuid, relation text, reference text, noted_at timestamptz)

-- name: restore_edges
-- Missing edges between existing memories.
insert into memory_edges (id, source_id, target_id, relation, strength, evidence, origin, extractor, created_by,
    created_at)
select g.id, source_id, target_id, relation, strength, evidence, origin, extractor, created_by, g.created_at
from jsonb_to_recordset(%(records)s::jsonb) as g (id uuid, source_id uuid, target_id uuid, relation text,
    strength real, evidence text, origin text, extractor text, created_by text, created_at timestamptz)
join memory_items source on source.id = g.source_id
join memory_items target on target.id = g.target_id
where source_id <> target_id
order by source_id, target_id, relation
on conflict do nothing

-- name: restore_corrections
-- Corrections of restored memories; references to deleted memories and edges become null.
insert into memory_corrections (id, original_id, replacement_id, correction_type, reason, corrected_by, edge_id,
    tier_before, valid_until_set, pattern, created_at, undone_at)
select g.id, original_id, nullif(replacement.id, original_id), correction_type, reason, corrected_by, edge.id,
    tier_before, valid_until_set, pattern, g.created_at, undone_at
from jsonb_to_recordset(%(records)s::jsonb) as g (id uuid, original_id uuid, replacement_id uuid,
    correction_type text, reason text, corrected_by text, edge_id uuid, tier_before text, valid_until_set boolean,
    pattern text, created_at timestamptz, undone_at timestamptz)
left join memory_items replacement on replacement.id = g.replacement_id
left join memory_edges edge on edge.id = g.edge_id
on conflict (id) do nothing

-- name: restore_strengths
-- The strengths of restored memories.
insert into memory_strengths (memory_id, stability, difficulty, confidence, validations, review_count, reviewed_at,
    use_count, used_at, accessed_at, cited_at)
select memory_id, stability, difficulty, confidence, validations, review_count, reviewed_at, coalesce(use_count, 0),
    used_at, accessed_at, cited_at
from jsonb_to_recordset(%(records)s::jsonb) as g (memory_id uuid, stability real, difficulty real, confidence real,
    validations int, review_count int, reviewed_at timestamptz, use_count int, used_at timestamptz,
    accessed_at timestamptz, cited_at timestamptz)

-- name: restore_adjustments
-- The adjustments behind those strengths, in the order of the snapshot.
insert into memory_adjustments (memory_id, cause, quantity, operation, amount, correction_id, undone_at, created_at)
select memory_id, cause, quantity, operation, amount, c.id, g.undone_at, g.created_at
from rows from (jsonb_to_recordset(%(records)s::jsonb) as (memory_id uuid, cause text, quantity text, operation text,
    amount float8, correction_id uuid, undone_at timestamptz, created_at timestamptz)) with ordinality as g (
    memory_id, cause, quantity, operation, amount, correction_id, undone_at, created_at, nth)
left join memory_corrections c on c.id = g.correction_id
order by nth

-- name: restore_vectors
-- Vectors of restored memories.
insert into memory_vectors (space_id, memory_num, part, scope_key, embedding)
select space, num, part, scope_key, embedding::halfvec
from jsonb_to_recordset(%(records)s::jsonb) as g (space smallint, num bigint, part smallint, scope_key bigint,
    embedding text)

-- name: restore_token_states
-- Token states of restored memories.
insert into memory_token_states (memory_num, space_id, part, states)
select num, space, part, decode(states, 'base64')
from jsonb_to_recordset(%(records)s::jsonb) as g (space smallint, num bigint, part smallint, states text)

-- name: queue_missing_vectors
-- Queues embedding jobs for restored memories that lack vectors or token states. Markers have no vectors.
insert into memory_embedding_jobs (memory_num, space_id, scope)
select m.num, s.id, m.scope from memory_items m cross join memory_spaces s
where m.num = any(%(nums)s::bigint[]) and m.kind <> 'marker' and s.state in ('active', 'building')
    and (not exists (select from memory_vectors v where v.memory_num = m.num and v.space_id = s.id)
        or (s.id = any(%(without_states)s::smallint[]) and not exists (
            select from memory_token_states t where t.memory_num = m.num and t.space_id = s.id)))
order by 1, 2
on conflict do nothing

-- name: mark_files_unread
-- Makes the next scan read the files of restored memories again, since they may have changed.
update memory_files f set content_hash = null, mtime_ns = 0
from memory_items m where m.file_id = f.id and m.num = any(%(nums)s::bigint[])
