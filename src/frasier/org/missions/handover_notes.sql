-- name: insert_handover_notes
-- Stores the notes that go with an accepted version; those of a version that is accepted again stay.
insert into org_handover_notes (deliverable_id, task_id, found, unsettled, traps)
values (%(deliverable_id)s::uuid, %(task_id)s::uuid, %(found)s::text, %(unsettled)s::text[], %(traps)s::text[])
on conflict do nothing

-- name: handover_notes_of
-- The notes of some versions.
select * from org_handover_notes where deliverable_id = any(%(ids)s::uuid[])
