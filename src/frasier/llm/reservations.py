"""The totals of the caps: reserved before a call, moved to spent after it, always locked in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.errors import BudgetExceeded
from frasier.llm.settings import Caps
from frasier.llm.spending_caps import Holding, Scope, check_cap, limits_of, may_pass_later
from frasier.store import Statements, Tx

_sql = Statements("frasier.llm")
_LOCK_ORDER = list(Scope)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedCall:
    """A call that ended, with its reservation, its caps and its final cost.

    A `released` call does not count, because it certainly never ran.
    """

    call: DictRow
    spent_usd_micros: int
    spent_tokens: int
    released: bool = False

    @classmethod
    def as_reserved(cls, call: DictRow) -> EndedCall:
        """Charge the reservation of a call with an unknown outcome."""
        return cls(
            call=call, spent_usd_micros=call["reserved_usd_micros"], spent_tokens=call["reserved_tokens"]
        )


async def set_mission_budget(tx: Tx, mission_id: UUID, usd_micros: int) -> None:
    """Give a mission a budget of its own, in place of the default one."""
    await _sql.run(tx, "set_mission_budget", mission_id=mission_id, usd_micros=usd_micros)


async def set_depth_budget(tx: Tx, mission_id: UUID, usd_micros: int) -> None:
    """Give a mission the budget of its depth, which narrows the default one; one of its own replaces both."""
    await _sql.run(tx, "set_depth_budget", mission_id=mission_id, usd_micros=usd_micros)


async def reserve(
    tx: Tx,
    call: DictRow,
    *,
    usd_micros: int,
    tokens: int,
    caps: Caps,
    task_cap_usd_micros: int | None = None,
) -> None:
    """Count a call into every cap that applies; raise BudgetExceeded naming the narrowest one passed, and one that
    will not let it pass later before one that may.

    `call` holds the task, mission, day and month; `task_cap_usd_micros` is a narrower cap of the
    task's own. The caps stay locked to the end of the transaction.
    """
    budget = None
    if call["mission_id"] is not None:
        budget = await _sql.maybe(tx, "mission_budget", mission_id=call["mission_id"])
    limits = limits_of(
        caps,
        budget["usd_micros"] if budget else None,
        task_cap_usd_micros,
        depth_budget_usd_micros=budget["depth_usd_micros"] if budget else None,
    )
    places = _places(call)
    rows = await _sql.all(
        tx,
        "reserve",
        kinds=[scope for scope, _ in places],
        keys=[key for _, key in places],
        usd_micros=usd_micros,
        tokens=tokens,
    )
    held = {holding.scope: holding for holding in map(Holding.from_row, rows)}
    passed: list[BudgetExceeded] = []
    for scope in reversed(_LOCK_ORDER):
        if scope in held:
            try:
                check_cap(held[scope], limits[scope], call_usd_micros=usd_micros, call_tokens=tokens)
            except BudgetExceeded as error:
                passed.append(error)
    if passed:
        raise min(passed, key=may_pass_later)


async def settle(tx: Tx, ended: Sequence[EndedCall]) -> None:
    """Replace the reservations of calls by their costs, locking each cap once and in the fixed order."""
    shares: dict[tuple[Scope, str], list[EndedCall]] = {}
    for call in ended:
        for place in _places(call.call):
            shares.setdefault(place, []).append(call)
    if not shares:
        return
    places = sorted(shares, key=lambda place: (_LOCK_ORDER.index(place[0]), place[1]))
    kinds, keys = [scope for scope, _ in places], [key for _, key in places]
    await _sql.all(tx, "lock_scopes", kinds=kinds, keys=keys)
    await _sql.run(
        tx,
        "move_to_spent",
        kinds=kinds,
        keys=keys,
        reserved_usd_micros=[
            sum(call.call["reserved_usd_micros"] for call in shares[place]) for place in places
        ],
        spent_usd_micros=[sum(call.spent_usd_micros for call in shares[place]) for place in places],
        reserved_tokens=[sum(call.call["reserved_tokens"] for call in shares[place]) for place in places],
        spent_tokens=[sum(call.spent_tokens for call in shares[place]) for place in places],
        released_calls=[sum(call.released for call in shares[place]) for place in places],
    )


def _places(call: DictRow) -> list[tuple[Scope, str]]:
    """Return the caps that apply to a call, in the order in which they are locked."""
    keys: dict[Scope, Any] = {
        Scope.MONTH: call["month"],
        Scope.DAY: call["day"],
        Scope.MISSION: call["mission_id"],
        Scope.TASK: call["task_id"],
    }
    return [(scope, str(keys[scope])) for scope in _LOCK_ORDER if keys[scope] is not None]
