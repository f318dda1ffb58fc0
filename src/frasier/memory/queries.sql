-- name: save_items
-- Stores memories with their postings, triggers and embedding jobs. An existing memory is counted again, and raised to
-- a higher tier or importance, never lowered. One whose validity had ended holds again.
with input as materialized (
    select * from jsonb_to_recordset(%(items)s::jsonb) as g (
        id uuid, kind text, scope text, title text, content text, tags text[], tier text, importance smallint,
        agent_id uuid, task_id uuid, provenance jsonb, content_hash bytea, length smallint,
        term_keys bigint[], frequencies smallint[], memory_type text, type_source text, type_confidence real,
        triggers text[], trigger_keys text[], thread text, speaker text, occurred_at timestamptz,
        valid_from timestamptz, valid_until timestamptz, file_id uuid)
), saved as (
    insert into memory_items (id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
        provenance, content_hash, indexed, length, term_keys, expires_at, memory_type, type_source,
        type_confidence, triggers, thread, speaker, occurred_at, valid_from, valid_until, file_id)
    select id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
        provenance, content_hash, true, length, term_keys,
        case when tier = 'temporary' then frasier_now() + interval '7 days' end, memory_type, type_source,
        type_confidence, triggers, thread, speaker, occurred_at, valid_from, valid_until, file_id
    from input
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
    select term.key, saved.num, term.tf, input.length
    from saved join input using (id) cross join lateral unnest(input.term_keys, input.frequencies) as term (key, tf)
    order by 1, 2
), called as (
    insert into memory_triggers (scope, phrase, memory_id)
    select saved.scope, phrase, saved.id
    from saved join input using (id) cross join lateral unnest(input.trigger_keys) as phrase
    on conflict do nothing
), owed as (
    insert into memory_embedding_jobs (memory_num, space_id, scope)
    select saved.num, space.id, saved.scope
    from saved join input using (id) cross join memory_spaces space
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
select num, id, scope, kind, tier, title, content, tags, triggers, content_hash, version, term_keys,
    speaker, occurred_at, archived_at, provenance, memory_type, thread, importance, valid_from, valid_until
from memory_items where id = %(id)s::uuid for update

-- name: keep_version
-- Keeps the current content of a memory as a version before it is replaced.
insert into memory_versions (memory_id, version, title, content, tags, triggers, reason)
select id, version, title, content, tags, triggers, %(reason)s::text from memory_items where id = %(id)s::uuid

-- name: replace_item
-- Replaces the content of a memory with new postings and triggers.
with input as materialized (
    select * from jsonb_to_recordset(%(items)s::jsonb) as g (
        id uuid, title text, content text, tags text[], tier text, importance smallint, provenance jsonb,
        content_hash bytea, length smallint, term_keys bigint[], frequencies smallint[], memory_type text,
        type_source text, type_confidence real, triggers text[], trigger_keys text[], thread text, speaker text,
        occurred_at timestamptz, valid_from timestamptz, valid_until timestamptz)
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

-- name: take_unindexed
-- The oldest memories without postings, skipping those that another process is indexing.
select num, scope, title, content, tags, speaker, occurred_at from memory_items
where not indexed order by num for update skip locked limit %(limit)s::int

-- name: index_items
-- Stores the postings of memories that have none.
with input as materialized (
    select * from jsonb_to_recordset(%(items)s::jsonb) as g (
        num bigint, length smallint, term_keys bigint[], frequencies smallint[])
), marked as (
    update memory_items m set indexed = true, length = input.length, term_keys = input.term_keys
    from input where m.num = input.num
    returning m.num
)
insert into memory_terms (term_key, memory_num, tf, dl)
select term.key, input.num, term.tf, input.length
from marked join input using (num) cross join lateral unnest(input.term_keys, input.frequencies) as term (key, tf)
order by 1, 2

-- name: refresh_statistics
-- Counts the scopes that are too large to be counted at every recall.
insert into memory_scope_stats (scope, items, terms)
select scope, count(*), sum(length) from memory_items where indexed
group by scope having count(*) > %(larger_than)s::bigint order by scope
on conflict (scope) do update
    set items = excluded.items, terms = excluded.terms, refreshed_at = frasier_now()

-- name: scopes_with_terms
-- Memories and terms of each scope, as last counted; null for small scopes, which are not counted. And the number of
-- memories that hold each term, in order. The OFFSET makes the planner look up each term separately.
with frequencies as materialized (
    select term.nth, held.containing
    from unnest(%(keys)s::bigint[]) with ordinality as term (key, nth)
    cross join lateral (
        select count(*) as containing from memory_terms where term_key = term.key offset 0
    ) held
)
select requested.scope, stats.items, stats.terms, array(select containing from frequencies order by nth) as containing
from unnest(%(scopes)s::text[]) as requested (scope) left join memory_scope_stats stats using (scope)

-- name: size_of_scopes
-- Memories and terms of each scope, counted now. Separate from the stored counts: in one statement the planner would
-- expect this work for every scope, and plan anew each time.
select requested.scope, live.items, live.terms
from unnest(%(scopes)s::text[]) as requested (scope)
cross join lateral (
    select count(*) as items, coalesce(sum(length), 0) as terms
    from memory_items m where m.scope = requested.scope and m.indexed
) live

-- name: rank_items
-- The best matches by BM25, with precomputed weights. The inner OFFSET makes the planner look up each term separately,
-- even right after a bulk load, when it does not know yet how rare terms are. Only the `best` are read, all if that is
-- null: sorting thousands of matches costs as much as summing them.
with scored as (
    select hit.memory_num, sum(term.weight * hit.tf / (hit.tf + %(floor)s::float8 + term.slope * hit.dl)) as score
    from unnest(%(keys)s::bigint[], %(weights)s::float8[], %(slopes)s::float8[]) as term (term_key, weight, slope)
    cross join lateral (
        select memory_num, tf, dl from memory_terms where term_key = term.term_key offset 0
    ) hit
    group by hit.memory_num
)
select m.num, best.score
from (select * from scored order by score desc, memory_num limit %(best)s::int) best
join memory_recallable m on m.num = best.memory_num
where m.scope = any(%(scopes)s::text[]) and m.kind = any(%(kinds)s::text[])
    and (%(agent_id)s::uuid is null or m.agent_id = %(agent_id)s::uuid)
order by best.score desc, m.num limit %(limit)s::int

-- name: rank_items_twice
-- The best matches by the rarer terms, ordered by all terms: the scores of common terms are looked up for these only.
with scored as (
    select hit.memory_num, sum(term.weight * hit.tf / (hit.tf + %(floor)s::float8 + term.slope * hit.dl)) as score
    from unnest(%(keys)s::bigint[], %(weights)s::float8[], %(slopes)s::float8[]) as term (term_key, weight, slope)
    cross join lateral (
        select memory_num, tf, dl from memory_terms where term_key = term.term_key offset 0
    ) hit
    group by hit.memory_num
), head as materialized (
    select * from scored order by score desc, memory_num limit %(best)s::int
), whole as materialized (
    select head.memory_num, head.score + coalesce(common.score, 0) as score
    from head cross join lateral (
        select sum(term.weight * hit.tf / (hit.tf + %(floor)s::float8 + term.slope * hit.dl)) as score
        from unnest(%(common_keys)s::bigint[], %(common_weights)s::float8[], %(common_slopes)s::float8[])
            as term (term_key, weight, slope)
        cross join lateral (
            select tf, dl from memory_terms
            where term_key = term.term_key and memory_num = head.memory_num offset 0
        ) hit
    ) common
)
select m.num, whole.score
from whole join memory_recallable m on m.num = whole.memory_num
where m.scope = any(%(scopes)s::text[]) and m.kind = any(%(kinds)s::text[])
    and (%(agent_id)s::uuid is null or m.agent_id = %(agent_id)s::uuid)
order by whole.score desc, m.num limit %(limit)s::int

-- name: found_items
-- The matching memories, each with those of the searched keys that it holds.
select num, id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
    provenance, access_count, last_seen_at, created_at, expires_at, memory_type, type_source, type_confidence,
    triggers, thread, speaker, occurred_at, valid_from, valid_until, version, archived_at, file_id,
    array(select key from unnest(term_keys) as key where key = any(%(keys)s::bigint[])) as matched
from memory_items where num = any(%(nums)s::bigint[])

-- name: directives_in_force
-- The founder's directives in force, the most important and newest first.
select id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
    provenance, access_count, last_seen_at, created_at, expires_at, memory_type, type_source, type_confidence,
    triggers, thread, speaker, occurred_at, valid_from, valid_until, version, archived_at, file_id
from memory_items where kind = 'directive' and archived_at is null
order by importance desc, last_seen_at desc, num desc limit %(limit)s::int

-- name: directives_like
-- Directives by the beginning or end of their id, withdrawn ones too.
select id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
    provenance, access_count, last_seen_at, created_at, expires_at, memory_type, type_source, type_confidence,
    triggers, thread, speaker, occurred_at, valid_from, valid_until, version, archived_at, file_id
from memory_items
where kind = 'directive' and %(part)s::text in (left(replace(id::text, '-', ''), length(%(part)s::text)),
                                                right(replace(id::text, '-', ''), length(%(part)s::text)))
order by num desc limit %(limit)s::int

-- name: withdraw_directive
-- Ends a directive that is in force; it stays readable by its id.
with withdrawn as (
    update memory_items set archived_at = frasier_now(), updated_at = frasier_now(),
        provenance = provenance || jsonb_build_object('withdrawn_at', frasier_now())
    where id = %(id)s::uuid and kind = 'directive' and archived_at is null
    returning scope
), noted as (
    insert into memory_changes (scope) select scope from withdrawn
)
select scope from withdrawn

-- name: markers_of_task
-- The markers of a task, newest first.
select id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
    provenance, access_count, last_seen_at, created_at, expires_at, memory_type, type_source, type_confidence,
    triggers, thread, speaker, occurred_at, valid_from, valid_until, version, archived_at, file_id
from memory_recallable
where task_id = %(task_id)s::uuid and kind = 'marker'
order by num desc limit %(limit)s::int

-- name: recent_of_agent
-- The latest memories of an agent, newest first.
select id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
    provenance, access_count, last_seen_at, created_at, expires_at, memory_type, type_source, type_confidence,
    triggers, thread, speaker, occurred_at, valid_from, valid_until, version, archived_at, file_id
from memory_recallable
where agent_id = %(agent_id)s::uuid and kind = any(%(kinds)s::text[])
order by created_at desc, num desc limit %(limit)s::int

-- name: note_change
-- Marks the scopes as changed by this transaction. Only appends, so that writers never block each other.
insert into memory_changes (scope) select unnest(%(scopes)s::text[])

-- name: changed_since
-- Whether a transaction outside the snapshot has changed one of the scopes.
select exists (
    select from memory_changes
    where xid >= pg_snapshot_xmin(%(seen)s::pg_snapshot) and not pg_visible_in_snapshot(xid, %(seen)s::pg_snapshot)
        and scope = any(%(scopes)s::text[])
) as changed

-- name: forget_changes
-- Records older than any cached answer lives.
delete from memory_changes where changed_at < frasier_now() - interval '1 hour'

-- name: find_memories
-- The memories of the scopes whose id lies in a range, or ends with the given digits.
select id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
    provenance, access_count, last_seen_at, created_at, expires_at, memory_type, type_source, type_confidence,
    triggers, thread, speaker, occurred_at, valid_from, valid_until, version, archived_at, file_id
from memory_items
where scope = any(%(scopes)s::text[])
    and (id between %(lowest)s::uuid and %(highest)s::uuid or right(replace(id::text, '-', ''), length(%(ending)s::text)) = %(ending)s::text)
order by id limit %(limit)s::int

-- name: list_memories
-- A page of memories in one of three orders.
select id, kind, scope, title, content, tags, tier, importance, agent_id, task_id,
    provenance, access_count, last_seen_at, created_at, expires_at, memory_type, type_source, type_confidence,
    triggers, thread, speaker, occurred_at, valid_from, valid_until, version, archived_at, file_id
from memory_items
where scope = any(%(scopes)s::text[]) and kind = any(%(kinds)s::text[])
    and (%(tier)s::text is null and tier <> 'deprecated' or tier = %(tier)s::text)
    and case when %(archived)s::boolean then archived_at is not null
        else archived_at is null and (expires_at is null or expires_at > frasier_now()) end
order by case when %(order)s::text = 'importance' then importance end desc nulls last,
    case when %(order)s::text = 'updated_at' then updated_at end desc nulls last, num desc
limit %(limit)s::int offset %(offset)s::int

-- name: count_memories
-- The total number of memories for list_memories.
select count(*) as total from memory_items
where scope = any(%(scopes)s::text[]) and kind = any(%(kinds)s::text[])
    and (%(tier)s::text is null and tier <> 'deprecated' or tier = %(tier)s::text)
    and case when %(archived)s::boolean then archived_at is not null
        else archived_at is null and (expires_at is null or expires_at > frasier_now()) end

-- name: memory_stats
-- Counts by several attributes; archived and deprecated memories count by state only.
with item as (
    select num, scope, kind, tier, memory_type,
        case when tier = 'deprecated' then 'deprecated'
            when archived_at is not null or expires_at <= frasier_now() then 'archived' else 'recallable' end as state
    from memory_items where scope = any(%(scopes)s::text[]) and kind <> 'marker'
)
select 'state' as respect, state as value, count(*) from item group by state
union all select 'scope', scope, count(*) from item where state = 'recallable' group by scope
union all select 'kind', kind, count(*) from item where state = 'recallable' group by kind
union all select 'tier', tier, count(*) from item where state = 'recallable' group by tier
union all select 'type', memory_type, count(*) from item where state = 'recallable' group by memory_type
union all select 'vector', 'owed', count(distinct item.num)
from item join memory_embedding_jobs job on job.memory_num = item.num

-- name: commit_lazily
-- Commits this transaction without waiting for the disk: losing it in a power cut is harmless.
select set_config('synchronous_commit', 'off', true)

-- name: asked_in
-- The last query of the memory within a session.
select asked_by as by, asked_at as at from memory_sessions where id = %(id)s::text and asked_by is not null

-- name: contributed
-- The author of a memory, and the time of saving.
select provenance ->> 'saved_by' as by, created_at as at from memory_items
where id = %(id)s::uuid and provenance ->> 'saved_by' is not null
