-- name: mission_budget
-- The mission's own budget, and that of its depth, where it has one.
select usd_micros, depth_usd_micros from llm_budgets where mission_id = %(mission_id)s::uuid

-- name: set_mission_budget
-- Gives a mission a budget of its own.
insert into llm_budgets (mission_id, usd_micros) values (%(mission_id)s::uuid, %(usd_micros)s::bigint)
on conflict (mission_id) do update set usd_micros = excluded.usd_micros, set_at = frasier_now()

-- name: set_depth_budget
-- Gives a mission the budget of its depth.
insert into llm_budgets (mission_id, depth_usd_micros) values (%(mission_id)s::uuid, %(usd_micros)s::bigint)
on conflict (mission_id) do update set depth_usd_micros = excluded.depth_usd_micros

-- name: reserve
-- Adds a call to its caps, locking them in the given order, and returns their totals.
insert into llm_spend (scope_kind, scope_key, reserved_usd_micros, reserved_tokens, calls)
select kind, key, %(usd_micros)s::bigint, %(tokens)s::bigint, 1
from unnest(%(kinds)s::text[], %(keys)s::text[]) with ordinality as scope (kind, key, place)
order by place
on conflict (scope_kind, scope_key) do update set
    reserved_usd_micros = llm_spend.reserved_usd_micros + excluded.reserved_usd_micros,
    reserved_tokens = llm_spend.reserved_tokens + excluded.reserved_tokens,
    calls = llm_spend.calls + excluded.calls
returning scope_kind, scope_key, reserved_usd_micros, spent_usd_micros, reserved_tokens, spent_tokens, calls

-- name: lock_scopes
-- Locks caps in the given order.
select s.scope_kind, s.scope_key
from unnest(%(kinds)s::text[], %(keys)s::text[]) with ordinality as scope (kind, key, place)
join llm_spend s on s.scope_kind = scope.kind and s.scope_key = scope.key
order by place for update of s

-- name: move_to_spent
-- Releases the reservation and books the spending; the caps are locked already.
update llm_spend s set
    reserved_usd_micros = s.reserved_usd_micros - moved.reserved_usd_micros,
    spent_usd_micros = s.spent_usd_micros + moved.spent_usd_micros,
    reserved_tokens = s.reserved_tokens - moved.reserved_tokens,
    spent_tokens = s.spent_tokens + moved.spent_tokens,
    calls = s.calls - moved.released_calls
from unnest(%(kinds)s::text[], %(keys)s::text[], %(reserved_usd_micros)s::bigint[],
        %(spent_usd_micros)s::bigint[], %(reserved_tokens)s::bigint[], %(spent_tokens)s::bigint[],
        %(released_calls)s::bigint[])
    as moved (kind, key, reserved_usd_micros, spent_usd_micros, reserved_tokens, spent_tokens, released_calls)
where s.scope_kind = moved.kind and s.scope_key = moved.key
