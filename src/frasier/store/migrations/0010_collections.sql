-- Steps over chosen documents, tables with rows from every document, and the cells that were extracted for them.

alter table org_steps
    add column documents integer[] not null default '{}',
    add column table_plan jsonb not null default '{"columns": []}';

alter table org_deliverables add column result_table jsonb;

-- What a model, or the rehearsal, extracted from a document for the columns of a table; valid wherever the same document
-- is asked the same. The document's digest stands for its text.
create table work_extractions (
    document_sha256 text not null check (document_sha256 ~ '^[0-9a-f]{64}$'),
    columns_digest text not null check (columns_digest ~ '^[0-9a-f]{64}$'),
    prompt_version integer not null check (prompt_version >= 1),
    model text not null check (model <> ''),
    rehearsal boolean not null,
    rows jsonb not null,
    created_at timestamptz not null default frasier_now(),
    primary key (document_sha256, columns_digest, prompt_version, model, rehearsal)
);
