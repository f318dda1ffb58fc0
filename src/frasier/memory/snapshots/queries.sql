-- name: space_identities
-- The vector spaces in use, with the hash of the projection of their token states.
select id, provider, model, dimension, encode(sha256(projection), 'hex') as projection
from memory_spaces where state in ('active', 'building') order by id

-- name: dump_items
-- Memories as JSON, oldest first: those of the scopes, or of them those with the numbers.
select row_to_json(i)::text as line from (
    select num, id, kind, scope, title, content, tags, tier, importance, agent_id, task_id, provenance, content_hash,
        access_count, last_seen_at, created_at, updated_at, expires_at, archived_at, memory_type, type_source,
        type_confidence, triggers, thread, speaker, occurred_at, valid_from, valid_until, file_id, version
    from memory_items
    where scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or num = any(%(nums)s::bigint[]))
    order by num
) i

-- name: dump_versions
-- Earlier versions of those memories.
select row_to_json(v)::text as line from memory_versions v join memory_items m on m.id = v.memory_id
where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))

-- name: dump_triggers
-- The trigger phrases of those memories.
select row_to_json(t)::text as line from memory_triggers t join memory_items m on m.id = t.memory_id
where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))

-- name: dump_unresolved_links
-- The unresolved references of those memories.
select row_to_json(u)::text as line from memory_unresolved_links u join memory_items m on m.id = u.memory_id
where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))

-- name: dump_edges
-- The edges that begin or end at those memories.
with chosen as materialized (
    select id from memory_items
    where scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or num = any(%(nums)s::bigint[]))
)
select row_to_json(e)::text as line from memory_edges e
where e.source_id in (select id from chosen) or e.target_id in (select id from chosen)

-- name: dump_corrections
-- The corrections of those memories.
select row_to_json(c)::text as line from memory_corrections c join memory_items m on m.id = c.original_id
where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))

-- name: dump_strengths
-- The strengths of those memories.
select row_to_json(s)::text as line from memory_strengths s join memory_items m on m.id = s.memory_id
where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))

-- name: dump_adjustments
-- The adjustments behind those strengths, in order.
select row_to_json(a)::text as line from (
    select a.memory_id, a.cause, a.quantity, a.operation, a.amount, a.correction_id, a.undone_at, a.created_at
    from memory_adjustments a join memory_items m on m.id = a.memory_id
    where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))
    order by a.id
) a

-- name: dump_vectors
-- The vectors of those memories, in the binary form of pgvector.
select row_to_json(v)::text as line from (
    select v.memory_num as num, v.space_id as space, v.part, v.scope_key,
        translate(encode(halfvec_send(v.embedding), 'base64'), E'\n', '') as embedding
    from memory_vectors v join memory_items m on m.num = v.memory_num
        join memory_spaces s on s.id = v.space_id and s.state in ('active', 'building')
    where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))
    order by v.memory_num
) v

-- name: dump_token_states
-- The token states of those memories.
select row_to_json(t)::text as line from (
    select t.memory_num as num, t.space_id as space, t.part,
        translate(encode(t.states, 'base64'), E'\n', '') as states
    from memory_token_states t join memory_items m on m.num = t.memory_num
        join memory_spaces s on s.id = t.space_id and s.state in ('active', 'building')
    where m.scope = any(%(scopes)s::text[]) and (%(nums)s::bigint[] is null or m.num = any(%(nums)s::bigint[]))
    order by t.memory_num
) t

-- name: lock_checkpoints
-- Serialises storing checkpoints of the same scopes.
select pg_advisory_xact_lock(hashtextextended('memory checkpoints:' || array_to_string(%(scopes)s::text[], ' '), 0))

-- name: count_checkpoints
-- The number of named checkpoints of exactly these scopes, and whether any checkpoint has the name.
select count(*) filter (where scopes = %(scopes)s::text[] and not starts_with(name, 'before-'))
        as made,
    coalesce(bool_or(name = %(name)s::text), false) as taken
from memory_checkpoints

-- name: automatic_name
-- The name of an automatic checkpoint: the operation it precedes, the time, and a unique suffix.
select 'before-' || %(operation)s::text || '-' || to_char(frasier_clock() at time zone 'UTC', 'YYYYMMDD-HH24MISS')
    || '-' || %(suffix)s::text as name

-- name: delete_oldest_automatic
-- Deletes the least recently used automatic checkpoints of these scopes beyond the limit; one being restored is recent.
delete from memory_checkpoints where id in (
    select id from memory_checkpoints where scopes = %(scopes)s::text[] and starts_with(name, 'before-')
    order by used_at desc, id desc offset %(keep)s::int)

-- name: store_checkpoint
-- Stores a checkpoint with its snapshot; no row if the name is taken.
insert into memory_checkpoints (id, name, scopes, made_by, counts, snapshot)
values (%(id)s::uuid, %(name)s::text, %(scopes)s::text[], %(made_by)s::text, %(counts)s::jsonb, %(snapshot)s::bytea)
on conflict (name) do nothing
returning id, name, scopes, made_by, counts, octet_length(snapshot) as size_bytes, created_at, used_at

-- name: list_checkpoints
-- Checkpoints whose scopes are all among these, newest first.
select id, name, scopes, made_by, counts, octet_length(snapshot) as size_bytes, created_at, used_at
from memory_checkpoints where scopes <@ %(scopes)s::text[] order by created_at desc, id desc limit %(limit)s::int

-- name: use_checkpoint
-- A checkpoint by its name; records the use.
update memory_checkpoints set used_at = frasier_now() where name = %(name)s::text and scopes <@ %(scopes)s::text[]
returning id, name, scopes, made_by, counts, octet_length(snapshot) as size_bytes, created_at, used_at

-- name: snapshot_piece
-- One piece of a snapshot.
select substring(snapshot from %(at)s::int for %(bytes)s::int) as piece from memory_checkpoints where id = %(id)s::uuid

-- name: delete_checkpoint
-- Deletes a checkpoint.
delete from memory_checkpoints where name = %(name)s::text and scopes <@ %(scopes)s::text[]

-- name: delete_unused_checkpoints
-- Deletes checkpoints that were neither made nor restored for the given days.
delete from memory_checkpoints where used_at < frasier_now() - make_interval(days => %(days)s::int)

-- name: lock_for_deletion
-- Locks the memories to delete, with the columns that decide who may delete them.
select num, id, scope, kind, tier from memory_items
where scope = any(%(scopes)s::text[]) and (%(ids)s::uuid[] is null or id = any(%(ids)s::uuid[]))
    and (%(tier)s::text is null or tier = %(tier)s::text)
    and (%(older_than_days)s::float8 is null
        or created_at < frasier_now() - make_interval(secs => %(older_than_days)s::float8 * 86400))
order by num for update

-- name: delete_items
-- Deletes memories that this transaction has locked, with their postings, which no foreign key covers. The inner OFFSET
-- makes the planner look up each posting by its key; otherwise it reads all postings, even for one memory.
with deleted as materialized (
    select num, term_keys from memory_items where num = any(%(nums)s::bigint[])
), postings as materialized (
    select hit.ctid as place from deleted cross join lateral unnest(term_keys) as key cross join lateral (
        select t.ctid from memory_terms t where t.term_key = key and t.memory_num = deleted.num offset 0) hit
), unposted as (
    delete from memory_terms where ctid = any(array(select place from postings))
)
delete from memory_items where num = any(%(nums)s::bigint[])

-- name: restore_items
-- Restores memories under their own ids and numbers, with new postings; skips those that collide with existing ones.
-- A memory whose file no longer exists loses its link to the file.
with given as materialized (
    select g.*, f.id as known_file_id from jsonb_to_recordset(%(records)s::jsonb) as g (
        num bigint, id uuid, kind text, scope text, title text, content text, tags text[], tier text,
        importance smallint, agent_id uuid, task_id uuid, provenance jsonb, content_hash bytea, access_count int,
        last_seen_at timestamptz, created_at timestamptz, updated_at timestamptz, expires_at timestamptz,
        archived_at timestamptz, memory_type text, type_source text, type_confidence real, triggers text[],
        thread text, speaker text, occurred_at timestamptz, valid_from timestamptz, valid_until timestamptz,
        file_id uuid, version int, length int, term_keys bigint[], frequencies smallint[])
    left join memory_files f on f.id = g.file_id
), saved as (
    insert into memory_items (num, id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
        provenance, content_hash, access_count, last_seen_at, created_at, updated_at, expires_at, archived_at,
        memory_type, type_source, type_confidence, triggers, thread, speaker, occurred_at, valid_from, valid_until,
        file_id, version, indexed, length, term_keys)
    overriding system value
    select num, id, kind, scope, title, content, tags, tier, importance, agent_id, task_id, provenance, content_hash,
        access_count, last_seen_at, created_at, updated_at, expires_at, archived_at, memory_type, type_source,
        type_confidence, triggers, thread, speaker, occurred_at, valid_from, valid_until, known_file_id, version,
        true, length, term_keys
    from given order by num
    on conflict do nothing
    returning id, num
), posted as (
    insert into memory_terms (term_key, memory_num, tf, dl)
    select term.key, saved.num, term.tf, given.length
    from saved join given using (id) cross join lateral unnest(given.term_keys, given.frequencies) as term (key, tf)
    order by 1, 2
)
select id, num from saved

-- name: find_existing
-- For each memory of a snapshot the one that exists: itself, that of its file, or one with the same content.
select g.id, coalesce(
    (select m.id from memory_items m where m.id = g.id),
    (select m.id from memory_items m where m.file_id = g.file_id),
    (select m.id from memory_items m
     where m.content_hash = g.content_hash and m.scope = g.scope and m.kind = g.kind
        and m.agent_id is not distinct from g.agent_id and m.kind not in ('conversation', 'marker', 'passage')
        and m.tier <> 'deprecated' and m.archived_at is null and m.file_id is null)) as existing_id
from jsonb_to_recordset(%(records)s::jsonb) as g (
    id uuid, file_id uuid, content_hash bytea, scope text, kind text, agent_id uuid)

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
