-- The hash of a memory covers its time and speaker: the same content of another occasion is another memory. What was
-- saved earlier has a hash of the content alone, or of another form. Of two rows that are now the same memory, which is
-- possible if the second was saved after the first form, the first gets the hash; the other keeps its own.
with occasions as (
    select num, content_hash, content_hash = sha256(convert_to(content, 'UTF8')) as is_plain, scope, kind, agent_id,
        kind not in ('conversation', 'marker', 'passage') and tier <> 'deprecated' and archived_at is null
            and file_id is null as is_unique,
        sha256(convert_to(content, 'UTF8') || '\x00'::bytea
            || convert_to(coalesce(to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), ''), 'UTF8')
            || '\x00'::bytea || convert_to(coalesce(speaker, ''), 'UTF8')) as identity_hash
    from memory_items where occurred_at is not null or speaker <> ''
), ranked as (
    select num, identity_hash, is_unique, row_number() over (
            partition by identity_hash, scope, kind, agent_id, is_unique order by is_plain desc, num) as nth
    from occasions
)
update memory_items m set content_hash = ranked.identity_hash
from ranked where m.num = ranked.num and (ranked.nth = 1 or not ranked.is_unique);

-- A question about an earlier time starts from the memories that others replaced, which are few.
create index memory_items_replaced on memory_items (scope, num) where tier = 'deprecated' and archived_at is null;
