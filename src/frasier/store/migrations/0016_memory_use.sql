-- A recall counted a use of everything that it showed, so that what was shown rose with every question. Uses are counted
-- anew, of what was cited, validated or fetched whole. When a memory was last shown stays: it keeps it from the archive.
alter table memory_strengths
    add column use_count integer not null default 0 check (use_count >= 0),
    add column used_at timestamptz,
    drop column access_count;
