-- name: clear_states
-- Deletes the token states of some memories in a space.
delete from memory_token_states where memory_num = any(%(nums)s::bigint[]) and space_id = %(space)s::smallint

-- name: insert_states
-- Stores token states of existing memories.
insert into memory_token_states (memory_num, space_id, part, states)
select num, %(space)s::smallint, input.part, input.states
from unnest(%(nums)s::bigint[], %(parts)s::smallint[], %(states)s::bytea[]) as input (num, part, states)
join memory_items using (num)

-- name: states_of
-- The token states of some memories, part by part.
select memory_num, states from memory_token_states
where memory_num = any(%(nums)s::bigint[]) and space_id = %(space)s::smallint
order by memory_num, part
