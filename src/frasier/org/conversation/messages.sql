-- name: insert_message
-- Stores a message of the founder.
insert into org_messages (id, text, intent, mission_id)
values (%(id)s::uuid, %(text)s::text, %(intent)s::text, %(mission_id)s::uuid)

-- name: get_message
-- One message.
select * from org_messages where id = %(id)s::uuid

-- name: messages_like
-- Messages by the beginning or end of their id, or the newest.
select * from org_messages
where case when %(newest)s::boolean then id = (select id from org_messages order by created_at desc, id desc limit 1)
      else %(part)s::text in (left(replace(id::text, '-', ''), length(%(part)s::text)),
                              right(replace(id::text, '-', ''), length(%(part)s::text)))
      end
order by created_at desc, id desc limit %(limit)s::int

-- name: newest_unanswered
-- The newest message that says the same and has no answer, without attachments.
select * from org_messages m
where text = %(text)s::text and intent = %(intent)s::text and mission_id is not distinct from %(mission_id)s::uuid
    and answered_at is null
    and not exists (select from org_message_attachments a where a.message_id = m.id and a.kind = 'file')
order by created_at desc, id desc limit 1

-- name: answer_message
-- Stores the classification of a message and its consequences.
update org_messages set classification = %(classification)s::text, confidence = %(confidence)s::float8,
    reasoning = %(reasoning)s::text, answer = %(answer)s::text, mission_id = %(mission_id)s::uuid,
    directives = %(directives)s::uuid[], advice = %(advice)s::jsonb, verification = %(verification)s::jsonb,
    answered_at = frasier_now()
where id = %(id)s::uuid and answered_at is null

-- name: amendments_of
-- What the founder changed of a mission; what could not be done is not answered.
select text from org_messages
where mission_id = %(mission_id)s::uuid and intent in ('revise', 'steer') and answered_at is not null
order by created_at, id

-- name: messages_about
-- The newest messages about a mission.
select * from org_messages where mission_id = %(mission_id)s::uuid and intent <> 'say'
order by created_at desc, id desc limit %(limit)s::int

-- name: said_messages
-- The newest messages to the chief of staff.
select * from org_messages where intent = 'say' order by created_at desc, id desc limit %(limit)s::int

-- name: insert_attachment
-- Stores a file or link of a message under the next number; one that is there already stays.
insert into org_message_attachments (message_id, number, kind, name, title, sha256, content, marks, problem)
select %(message_id)s::uuid, coalesce(max(number), 0) + 1, %(kind)s::text, %(name)s::text, %(title)s::text,
    %(sha256)s::text, %(content)s::text, %(marks)s::jsonb, %(problem)s::text
from org_message_attachments where message_id = %(message_id)s::uuid
on conflict do nothing

-- name: attachments_of
-- The files and links of a message.
select kind, name, title, sha256, content, marks, problem from org_message_attachments
where message_id = %(message_id)s::uuid order by number
