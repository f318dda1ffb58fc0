-- Memories, the postings under which they are found, and what is known of them: vectors, relations, strength, deliveries.

create extension if not exists vector;

-- Markdown files that are memories. The path is canonical, so one file is one row however it was spelled.
create table memory_files (
    id uuid primary key,
    path text not null unique check (path like '/%' and char_length(path) <= 4096),
    root text not null,
    scope text not null,
    content_hash bytea check (octet_length(content_hash) = 32),
    mtime_ns bigint not null default 0,
    size_bytes bigint not null default 0 check (size_bytes >= 0),
    status text not null check (status in ('indexed', 'pending', 'failed')),
    reason text not null default '',
    scanned_at timestamptz not null default frasier_now()
);
create index memory_files_root on memory_files (root);
create index memory_files_content on memory_files (content_hash);

-- When a folder was last scanned, whichever process did it.
create table memory_roots (
    path text primary key,
    scanned_at timestamptz not null
);

create table memory_items (
    id uuid primary key,
    num bigint generated always as identity unique,
    kind text not null,
    scope text not null,
    title text not null default '',
    content text not null,
    tags text[] not null default '{}',
    tier text not null default 'normal',
    importance smallint not null default 5,
    agent_id uuid,
    task_id uuid,
    provenance jsonb not null default '{}',
    content_hash bytea not null,
    indexed boolean not null default false,
    length integer not null default 0,
    -- The keys of its own postings, so that they can be deleted through their primary key.
    term_keys bigint[] not null default '{}',
    access_count integer not null default 0,
    last_seen_at timestamptz not null default frasier_now(),
    created_at timestamptz not null default frasier_now(),
    expires_at timestamptz,
    archived_at timestamptz,
    memory_type text not null default 'episodic',
    type_source text not null default 'default',
    type_confidence real not null default 0.5,
    triggers text[] not null default '{}',
    -- A conversation or document that the memory is part of: those beside it are evidence for it.
    thread text,
    speaker text,
    occurred_at timestamptz,
    -- Since when and until when a fact held.
    valid_from timestamptz,
    valid_until timestamptz,
    file_id uuid unique references memory_files (id) on delete set null,
    version integer not null default 1,
    updated_at timestamptz not null default frasier_now()
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 2000);

-- The same said again is one memory, but for what is a record of its moment or a part of a document, and for files: two
-- may say the same, and each is a memory of its own.
create unique index memory_items_same on memory_items (content_hash, scope, kind, agent_id) nulls not distinct
    where kind not in ('conversation', 'marker', 'passage') and tier <> 'deprecated' and archived_at is null
        and file_id is null;
create index memory_items_task on memory_items (task_id, num) where task_id is not null;
create index memory_items_agent on memory_items (agent_id, kind, created_at, num) where agent_id is not null;
create index memory_items_unindexed on memory_items (num) where not indexed;
create index memory_items_directives on memory_items (importance, last_seen_at, num) where kind = 'directive';
-- Counting a scope's memories and terms reads this index only.
create index memory_items_scope on memory_items (scope) include (length) where indexed;
create index memory_items_thread on memory_items (scope, thread, num) where thread is not null;
-- A file that comes back finds the memory that it was.
create index memory_items_path on memory_items ((provenance ->> 'path'))
    where file_id is null and archived_at is not null;
-- A memory is named by its title, or by the label before the title's colon ("ADR-12").
create index memory_items_label on memory_items (scope, lower(split_part(title, ':', 1))) where title <> '';
-- Given with every recall, and few: without it each recall reads the whole table.
create index memory_items_constitutional on memory_items (importance, last_seen_at, num)
    where tier = 'constitutional';
create index memory_items_expiring on memory_items (expires_at) where expires_at is not null and archived_at is null;
create index memory_items_fading on memory_items (last_seen_at)
    where archived_at is null and tier in ('normal', 'temporary');

\ir functions/markers.sql
\ir functions/memory_rules.sql
\ir functions/new_memory.sql
alter table memory_items add constraint memories_are_sound check (memory_item_is_sound(memory_items));

-- One row a term and memory. No index on memory_num: memory_items.term_keys leads back.
create table memory_terms (
    term_key bigint not null,
    memory_num bigint not null,
    tf smallint not null check (tf > 0),
    dl smallint not null check (dl > 0),
    primary key (term_key, memory_num) include (tf, dl)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 2000);

-- How many memories and terms a scope has, for scopes too large to be counted at every recall. No writer of a
-- memory touches it, so writers never wait for each other.
create table memory_scope_stats (
    scope text primary key,
    items bigint not null check (items >= 0),
    terms bigint not null check (terms >= 0),
    refreshed_at timestamptz not null default frasier_now()
);

-- The memories without their postings, which are large: what statements read that need all attributes of a memory.
create view memory_attributes as
select num, id, kind, scope, title, content, tags, tier, importance, agent_id, task_id, provenance, content_hash,
    length, access_count, last_seen_at, created_at, updated_at, expires_at, archived_at, memory_type, type_source,
    type_confidence, triggers, thread, speaker, occurred_at, valid_from, valid_until, file_id, version
from memory_items;

-- The memories that may be found at all: one definition for every way of finding.
create view memory_recallable as
select * from memory_attributes
where tier <> 'deprecated' and archived_at is null and (expires_at is null or expires_at > frasier_now());

-- The earlier texts of a changed memory: nothing that was saved is lost.
create table memory_versions (
    memory_id uuid not null references memory_items (id) on delete cascade,
    version integer not null check (version >= 1),
    title text not null,
    content text not null,
    tags text[] not null,
    triggers text[] not null,
    reason text not null,
    replaced_at timestamptz not null default frasier_now(),
    primary key (memory_id, version)
);

-- The gate's decision on each memory that resembled another, with the text that was given.
create table memory_admissions (
    id uuid primary key,
    action text not null check (action in ('reinforced', 'updated', 'superseded', 'linked', 'created')),
    scope text not null,
    memory_id uuid references memory_items (id) on delete set null,
    existing_id uuid references memory_items (id) on delete set null,
    similarity real not null check (similarity between 0 and 1),
    contradiction text not null default '',
    reason text not null,
    content text not null,
    created_at timestamptz not null default frasier_now()
);
create index memory_admissions_memory on memory_admissions (memory_id);
create index memory_admissions_existing on memory_admissions (existing_id);

-- Phrases that call a memory, folded as words are compared: one lookup a phrase, however long the prompt.
create table memory_triggers (
    scope text not null,
    phrase text not null check (char_length(phrase) between 1 and 200),
    memory_id uuid not null references memory_items (id) on delete cascade,
    primary key (scope, phrase, memory_id)
);
create index memory_triggers_memory on memory_triggers (memory_id);

-- The vector spaces: vectors of two models never meet. At most one space is searched.
create table memory_spaces (
    id smallint generated always as identity primary key,
    provider text not null,
    model text not null,
    dimension integer not null check (dimension between 1 and 4000),
    state text not null check (state in ('active', 'building', 'retired')),
    -- From the encoder's token states to those that are kept, where the encoder gives any: float32, rows of 128.
    projection bytea,
    created_at timestamptz not null default frasier_now(),
    unique (provider, model, dimension)
);
create unique index memory_spaces_active on memory_spaces (state) where state = 'active';

-- Narrow, so that a scan reads little. A long memory has several parts; the best of them counts.
create table memory_vectors (
    space_id smallint not null references memory_spaces (id) on delete cascade,
    memory_num bigint not null references memory_items (num) on delete cascade,
    part smallint not null default 0 check (part >= 0),
    scope_key bigint not null,
    embedding halfvec not null,
    primary key (memory_num, space_id, part)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 2000);
create index memory_vectors_scope on memory_vectors (space_id, scope_key);

-- The token states that the reranker compares: int8, rows of 128, one row a token that means something.
create table memory_token_states (
    memory_num bigint not null references memory_items (num) on delete cascade,
    space_id smallint not null references memory_spaces (id) on delete cascade,
    part smallint not null default 0 check (part >= 0),
    states bytea not null check (octet_length(states) % 128 = 0),
    primary key (memory_num, space_id, part)
);
alter table memory_token_states alter column states set storage external;
-- In the row itself as long as a page holds it: a recall reads hundreds of them.
alter table memory_token_states set (toast_tuple_target = 8160);

-- Vectors that are owed. A row leaves when the vector is there; `attempts` of the limit means failed.
create table memory_embedding_jobs (
    memory_num bigint not null references memory_items (num) on delete cascade,
    space_id smallint not null references memory_spaces (id) on delete cascade,
    scope text not null,
    attempts smallint not null default 0 check (attempts >= 0),
    failed boolean not null default false,
    reason text not null default '',
    next_try_at timestamptz not null default frasier_now(),
    created_at timestamptz not null default frasier_now(),
    primary key (memory_num, space_id)
);
create index memory_embedding_jobs_due on memory_embedding_jobs (space_id, next_try_at, memory_num)
    where not failed;
-- Every recall counts the vectors that its scopes are owed: by an index, however many others are owed.
create index memory_embedding_jobs_scope on memory_embedding_jobs (space_id, scope) where not failed;

-- The scopes that each transaction wrote: a cached answer is checked against them, in any process.
create table memory_changes (
    scope text not null,
    xid xid8 not null default pg_current_xact_id(),
    changed_at timestamptz not null default frasier_now()
);
create index memory_changes_scope on memory_changes (scope, xid);
create index memory_changes_age on memory_changes (changed_at);

-- The strength of a memory: the result of the adjustments below, stored. Uses are citations, validations and whole
-- fetches; that a recall showed it counts as an access only, which keeps it from the archive.
create table memory_strengths (
    memory_id uuid primary key references memory_items (id) on delete cascade,
    stability real not null check (stability between 0.05 and 3650),
    difficulty real not null default 5 check (difficulty between 1 and 10),
    confidence real not null default 0.5 check (confidence between 0.05 and 1),
    validations integer not null default 0 check (validations >= 0),
    review_count integer not null default 0 check (review_count >= 0),
    reviewed_at timestamptz,
    use_count integer not null default 0 check (use_count >= 0),
    used_at timestamptz,
    accessed_at timestamptz,
    cited_at timestamptz
) with (fillfactor = 80);

-- Each change of a strength, in order; one that is undone no longer counts when they are replayed.
create table memory_adjustments (
    id bigint generated always as identity primary key,
    memory_id uuid not null references memory_items (id) on delete cascade,
    cause text not null check (cause in ('review', 'correction', 'outcome', 'validation', 'consolidation')),
    quantity text not null check (quantity in ('stability', 'difficulty', 'confidence')),
    operation text not null check (operation in ('multiply', 'add')),
    amount double precision not null,
    correction_id uuid,
    undone_at timestamptz,
    created_at timestamptz not null default frasier_now()
);
create index memory_adjustments_memory on memory_adjustments (memory_id, id);
create index memory_adjustments_correction on memory_adjustments (correction_id) where correction_id is not null;

-- Source acted on target: A caused B, A enabled B, A supersedes B, A contradicts B, A is derived from B, A supports B.
create table memory_edges (
    id uuid primary key,
    source_id uuid not null references memory_items (id) on delete cascade,
    target_id uuid not null references memory_items (id) on delete cascade,
    relation text not null
        check (relation in ('caused', 'enabled', 'supersedes', 'contradicts', 'derived_from', 'supports')),
    strength real not null default 1 check (strength > 0 and strength <= 1),
    evidence text not null default '' check (char_length(evidence) <= 2000),
    origin text not null check (origin in ('manual', 'file', 'correction', 'gate', 'auto')),
    extractor text not null default '',
    created_by text not null default '',
    created_at timestamptz not null default frasier_now(),
    unique (source_id, target_id, relation),
    check (source_id <> target_id),
    check ((origin = 'auto') = (extractor <> ''))
);
create index memory_edges_target on memory_edges (target_id);
create index memory_edges_extractor on memory_edges (extractor) where origin = 'auto';

-- A link in a file to something that is not there (yet).
create table memory_unresolved_links (
    memory_id uuid not null references memory_items (id) on delete cascade,
    relation text not null,
    reference text not null check (char_length(reference) between 1 and 500),
    noted_at timestamptz not null default frasier_now(),
    primary key (memory_id, relation, reference)
);

create table memory_corrections (
    id uuid primary key,
    original_id uuid not null references memory_items (id) on delete cascade,
    replacement_id uuid references memory_items (id) on delete set null,
    correction_type text not null check (correction_type in ('superseded', 'deprecated', 'refined', 'merged')),
    reason text not null,
    corrected_by text not null,
    -- The edge that this correction drew itself, not one that was there.
    edge_id uuid references memory_edges (id) on delete set null,
    -- The changes to the original, so that undoing gives exactly those back.
    tier_before text,
    valid_until_set boolean not null default false,
    pattern text not null default '',
    created_at timestamptz not null default frasier_now(),
    undone_at timestamptz,
    check (original_id <> replacement_id)
);
create index memory_corrections_original on memory_corrections (original_id, created_at);
create index memory_corrections_replacement on memory_corrections (replacement_id);
alter table memory_adjustments
    add foreign key (correction_id) references memory_corrections (id) on delete set null;

-- The knowledge before a task and after it, each 0 to 100.
create table memory_task_learnings (
    scope text not null,
    task_key text not null check (char_length(task_key) between 1 and 200),
    session_id text,
    pre_knowledge smallint not null check (pre_knowledge between 0 and 100),
    pre_uncertainty smallint not null check (pre_uncertainty between 0 and 100),
    pre_context smallint not null check (pre_context between 0 and 100),
    post_knowledge smallint check (post_knowledge between 0 and 100),
    post_uncertainty smallint check (post_uncertainty between 0 and 100),
    post_context smallint check (post_context between 0 and 100),
    learning_index real,
    knowledge_gaps text[] not null default '{}',
    gaps_closed text[] not null default '{}',
    new_gaps text[] not null default '{}',
    started_at timestamptz not null default frasier_now(),
    completed_at timestamptz,
    primary key (scope, task_key),
    check ((completed_at is null) = (learning_index is null))
);

create table memory_sessions (
    id text primary key check (id ~ '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$'),
    scope text not null,
    status text not null default 'active' check (status in ('active', 'completed', 'interrupted')),
    -- The process that serves the session, and when it last said so.
    owner text not null,
    heartbeat_at timestamptz not null default frasier_now(),
    task text not null default '',
    last_action text not null default '',
    summary text not null default '',
    pending_work text not null default '',
    state jsonb not null default '{}' check (jsonb_typeof(state) = 'object'),
    active_at timestamptz not null default frasier_now(),
    created_at timestamptz not null default frasier_now(),
    updated_at timestamptz not null default frasier_now(),
    -- The newest question to the memory within the session, and its author: asking is proved, not claimed.
    asked_at timestamptz,
    asked_by text
);
create index memory_sessions_beating on memory_sessions (heartbeat_at) where status = 'active';

-- The deliveries to a session: the content, its sections and its level of detail, not only the memory's id.
create table memory_deliveries (
    session_id text not null references memory_sessions (id) on delete cascade,
    fingerprint bytea not null check (octet_length(fingerprint) = 16),
    memory_id uuid not null references memory_items (id) on delete cascade,
    tokens integer not null check (tokens >= 0),
    sent_at timestamptz not null default frasier_now(),
    primary key (session_id, fingerprint)
);
create index memory_deliveries_age on memory_deliveries (session_id, sent_at);
create index memory_deliveries_memory on memory_deliveries (memory_id);

create table memory_checkpoints (
    id uuid primary key,
    name text not null unique check (name ~ '^[A-Za-z0-9_-]{1,100}$'),
    scopes text[] not null check (cardinality(scopes) between 1 and 20),
    made_by text not null,
    counts jsonb not null,
    snapshot bytea not null check (octet_length(snapshot) <= 104857600),
    created_at timestamptz not null default frasier_now(),
    used_at timestamptz not null default frasier_now()
);
alter table memory_checkpoints alter column snapshot set storage external;

-- The tokens of callers over HTTP, with their scopes. Only a hash of the token is kept.
create table memory_tokens (
    id uuid primary key,
    name text not null unique check (char_length(name) between 1 and 100),
    token_hash bytea not null unique check (octet_length(token_hash) = 32),
    scopes text[] not null check (cardinality(scopes) between 1 and 20),
    founder boolean not null default false,
    created_at timestamptz not null default frasier_now(),
    revoked_at timestamptz
);
-- The valid tokens, for slices that give their holders something to do.
create view memory_v_tokens as select name, founder, id from memory_tokens where revoked_at is null;

-- Contributions by key, so that one that is sent again is the same.
create table memory_contributions (
    caller text not null,
    idempotency_key text not null check (char_length(idempotency_key) between 1 and 200),
    content_hash bytea not null check (octet_length(content_hash) = 32),
    memory_id uuid references memory_items (id) on delete set null,
    created_at timestamptz not null default frasier_now(),
    primary key (caller, idempotency_key)
);
create index memory_contributions_memory on memory_contributions (memory_id);

-- A tier above normal that a file asks for counts once the founder has confirmed it, for the content that was asked about.
-- An unanswered one is open as long as the file asks for it, and can be confirmed as long as its memory is unchanged since
-- the founder was asked.
create table memory_file_tiers (
    id uuid primary key,
    file_id uuid not null references memory_files (id) on delete cascade,
    content_hash bytea not null check (octet_length(content_hash) = 32),
    tier text not null check (tier in ('constitutional', 'critical', 'important')),
    memory_version integer,
    memory_hash bytea check (octet_length(memory_hash) = 32),
    asked_at timestamptz not null default frasier_now(),
    confirmed boolean,
    answered_at timestamptz,
    answered_by text,
    constraint memory_file_tiers_once unique (file_id, content_hash),
    constraint memory_file_tiers_answered check (
        num_nulls(confirmed, answered_at, answered_by) in (0, 3))
);
