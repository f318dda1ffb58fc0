-- name: find_extractions
-- The rows that were extracted from these documents for the same columns.
select document_sha256, rows from work_extractions
where document_sha256 = any(%(documents)s::text[]) and columns_digest = %(columns_digest)s::text
    and prompt_version = %(prompt_version)s::int and model = %(model)s::text and rehearsal = %(rehearsal)s::boolean

-- name: insert_extraction
-- Keeps what was extracted from a document; what is there already stays.
insert into work_extractions (document_sha256, columns_digest, prompt_version, model, rehearsal, rows)
values (%(document_sha256)s::text, %(columns_digest)s::text, %(prompt_version)s::int, %(model)s::text,
        %(rehearsal)s::boolean, %(rows)s::jsonb)
on conflict do nothing

-- name: documents_of
-- The documents of a mission with their texts: chosen ones, or all if none are chosen.
select s.number, s.title, s.sha256, s.notes, t.content, t.marks from work_sources s join work_source_texts t using (mission_id, number)
where s.mission_id = %(mission_id)s::uuid and s.kind = 'file'
    and (cardinality(%(numbers)s::int[]) = 0 or s.number = any(%(numbers)s::int[]))
order by s.number
