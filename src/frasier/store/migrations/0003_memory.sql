-- What is remembered, and the postings under which it is found.

create table memory_items (
    id uuid primary key,
    num bigint generated always as identity unique,
    kind text not null check (kind in ('lesson', 'directive', 'task', 'marker', 'conversation', 'approach',
                                       'decision', 'passage', 'observation')),
    scope text not null check (scope ~ '^[a-z][a-z0-9_-]{0,31}(:[a-z0-9][a-z0-9._-]{0,99})?$'),
    title text not null default '' check (char_length(title) <= 500),
    content text not null check (char_length(content) between 1 and 100000),
    tags text[] not null default '{}' check (cardinality(tags) <= 32),
    tier text not null default 'normal'
        check (tier in ('constitutional', 'critical', 'important', 'normal', 'temporary', 'deprecated')),
    importance smallint not null default 5 check (importance between 1 and 10),
    agent_id uuid,
    task_id uuid,
    provenance jsonb not null default '{}' check (jsonb_typeof(provenance) = 'object'),
    content_hash bytea not null check (octet_length(content_hash) = 32),
    indexed boolean not null default false,
    length integer not null default 0 check (length >= 0),
    -- The keys of its own postings, so that they can be deleted through their primary key.
    term_keys bigint[] not null default '{}',
    access_count integer not null default 0,
    last_seen_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    archived_at timestamptz,
    -- What the founder directed neither fades nor disappears.
    check (kind <> 'directive' or (tier = 'constitutional' and expires_at is null and archived_at is null)),
    check (tier <> 'temporary' or expires_at is not null),
    check (indexed or (length = 0 and term_keys = '{}'))
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 2000);

-- The same said again is one memory, but for what is a record of its moment or a part of a document.
create unique index memory_items_same on memory_items (content_hash, scope, kind, agent_id) nulls not distinct
    where kind not in ('conversation', 'marker', 'passage') and tier <> 'deprecated' and archived_at is null;
create index memory_items_task on memory_items (task_id, num) where task_id is not null;
create index memory_items_agent on memory_items (agent_id, kind, created_at, num) where agent_id is not null;
create index memory_items_unindexed on memory_items (num) where not indexed;
create index memory_items_directives on memory_items (importance, last_seen_at, num) where kind = 'directive';
-- Counting a scope's memories and terms reads this index only.
create index memory_items_scope on memory_items (scope) include (length) where indexed;

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
    refreshed_at timestamptz not null default now()
);
