-- name: insert_message
-- Stores a message of the founder.
insert into org_messages (id, text) values (%(id)s::uuid, %(text)s::text)

-- name: get_message
-- One message.
select * from org_messages where id = %(id)s::uuid

-- name: answer_message
-- Stores the classification of a message and its consequences.
update org_messages set classification = %(classification)s::text, confidence = %(confidence)s::float8,
    reasoning = %(reasoning)s::text, answer = %(answer)s::text, mission_id = %(mission_id)s::uuid,
    directives = %(directives)s::uuid[], advice = %(advice)s::jsonb, answered_at = frasier_now()
where id = %(id)s::uuid and answered_at is null
