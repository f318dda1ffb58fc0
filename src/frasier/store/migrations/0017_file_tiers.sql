-- What a file asks for above normal counts once the founder has confirmed it, for the content that was asked about.
-- One that is not answered is open as long as the file says that, and can be confirmed as long as its memory says what
-- it said when the founder was asked.
create table memory_file_tiers (
    id uuid primary key,
    file_id uuid not null references memory_files (id) on delete cascade,
    content_hash bytea not null check (octet_length(content_hash) = 32),
    tier text not null check (tier in ('constitutional', 'critical', 'important')),
    memory_version integer,
    memory_hash bytea check (octet_length(memory_hash) = 32),
    asked_at timestamptz not null default now(),
    confirmed boolean,
    answered_at timestamptz,
    answered_by text,
    constraint memory_file_tiers_once unique (file_id, content_hash),
    constraint memory_file_tiers_answered check (
        num_nulls(confirmed, answered_at, answered_by) in (0, 3))
);
