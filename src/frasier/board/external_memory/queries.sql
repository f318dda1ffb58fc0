-- name: intend
-- That something is to be told: the same of the same move of the same task has one key and one wording, however often
-- it is tried.
insert into workflow_brain_intents (task_id, version, name, digest, key, text)
values (%(task_id)s::uuid, %(version)s::int, %(name)s::text, %(digest)s::text, %(key)s::uuid, %(text)s::text)
on conflict (task_id, version, name, digest) do update set intended_at = frasier_now()
returning key, text

-- name: note_remote_id
-- Under which id the outside brain has the marker.
update workflow_brain_intents set remote_id = %(remote_id)s::text where key = %(key)s::uuid

-- name: commit_intents
-- The move that was told is made, in the same transaction.
update workflow_brain_intents set committed_at = frasier_now() where key = any(%(keys)s::uuid[])
