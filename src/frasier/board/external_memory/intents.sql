-- name: record_intent
-- Record a text to be sent. The same text of the same move has one key and one wording, however often it is tried.
insert into board_external_memory_intents (task_id, version, name, digest, key, text)
values (%(task_id)s::uuid, %(version)s::int, %(name)s::text, %(digest)s::text, %(key)s::uuid, %(text)s::text)
on conflict (task_id, version, name, digest) do update set intended_at = frasier_now()
returning key, text

-- name: record_remote_id
-- Store the id that the external memory gave the marker.
update board_external_memory_intents set remote_id = %(remote_id)s::text where key = %(key)s::uuid

-- name: commit_intents
-- Mark the texts of a move as committed, in the transaction of the move.
update board_external_memory_intents set committed_at = frasier_now() where key = any(%(keys)s::uuid[])
