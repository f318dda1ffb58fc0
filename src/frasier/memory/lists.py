"""Listing of memories without a search: by id, page, task or agent, and their counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import CANDIDATES, only_match
from frasier.memory.access import Caller
from frasier.memory.forgetting.retrievability import FADING_TIERS, FADING_TYPES, LASTING_KINDS
from frasier.memory.forgetting.states import IDLE_DAYS_MAX, MemoryState, retained_min
from frasier.memory.id_prefix import part_of_id
from frasier.memory.strength.half_lives import FORGETTING_RATE, initial_stability
from frasier.memory.types import ALL_TIME, ImportanceTier, Memory, MemoryKind, Period
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.memory")

LIMIT_MAX = 100


class Order(StrEnum):
    """The order of a page: by creation, by last change or by importance, descending."""

    NEWEST = "created_at"
    CHANGED = "updated_at"
    IMPORTANCE = "importance"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPage:
    """A page of memories, and the total number. `last` is the sort key of the last one if more follow."""

    memories: tuple[Memory, ...]
    total: int
    offset: int
    last: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStats:
    """The numbers of memories in the caller's scopes, in total and by scope, kind, tier and type."""

    total: int
    archived: int
    deprecated: int
    without_vector: int
    by_scope: Mapping[str, int]
    by_kind: Mapping[str, int]
    by_tier: Mapping[str, int]
    by_type: Mapping[str, int]


async def find_memories(tx: Tx, caller: Caller, names: Iterable[str]) -> list[Memory]:
    """Find each memory as find_memory does, in the order of `names`."""
    return [await find_memory(tx, caller, name) for name in names]


async def find_memory(tx: Tx, caller: Caller, text: str) -> Memory:
    """Return the memory with that id, or the only one whose id begins or ends with it (at least 8 characters).

    Archived and deprecated ones are found as well. Raises NotFound (E080), InvalidInput if several match.
    """
    compact = part_of_id(text, "a memory")
    lowest = UUID(compact.ljust(32, "0"))
    highest = UUID(compact.ljust(32, "f"))
    rows = await _sql.all(
        tx,
        "find_memories",
        lowest=lowest,
        highest=highest,
        ending=compact,
        scopes=list(caller.scopes),
        limit=CANDIDATES,
    )
    row = only_match(text, "memories", rows, lambda row: str(row["id"]), number="E030")
    if row is None:
        raise NotFound(
            f"There is no memory {text[:60]}.",
            number="E080",
            advice=Advice("memory.list", to="see which memories exist"),
        )
    return from_row(Memory, row)


async def list_memories(
    tx: Tx,
    caller: Caller,
    *,
    scopes: tuple[str, ...] = (),
    kinds: frozenset[MemoryKind] | None = None,
    tier: ImportanceTier | None = None,
    order: Order = Order.NEWEST,
    archived: bool = False,
    period: Period = ALL_TIME,
    min_state: MemoryState = MemoryState.ARCHIVED,
    limit: int = 20,
    offset: int = 0,
    after: tuple[str, int] | None = None,
) -> MemoryPage:
    """Return a page of the memories that can be recalled, or of the archived ones; markers only if asked by kind.

    With `min_state` only those that are as fresh as that state now.
    It begins behind the sort key `after`, which stays a place when the memory that had it is gone.
    """
    if not 1 <= limit <= LIMIT_MAX or not 0 <= offset <= 1_000_000:
        raise InvalidInput(
            f"Cannot show a page of {limit} memories from {offset} on.",
            number="E032",
            hint=f"Use a limit of 1 to {LIMIT_MAX}.",
        )
    key, num = after or ("", None)
    rows = await _sql.all(
        tx,
        "list_memories",
        scopes=list(caller.allow(scopes)),
        kinds=sorted(kinds if kinds is not None else frozenset(MemoryKind) - {MemoryKind.MARKER}),
        tier=tier,
        archived=archived,
        period=period.tstzrange(),
        **_freshness(min_state),
        order=order,
        after_key=key,
        after_num=num,
        limit=limit + 1,  # one more tells whether there are more
        offset=offset,
    )
    found = [row for row in rows if row["num"] is not None]
    shown = found[:limit]
    return MemoryPage(
        memories=tuple(from_row(Memory, row) for row in shown),
        total=rows[0]["total"],
        offset=offset,
        last=(shown[-1]["sort_key"], shown[-1]["num"]) if len(found) > limit else None,
    )


def _freshness(min_state: MemoryState) -> dict[str, Any]:
    """Return what the statement needs to know of fading; without a least retrievability it compares nothing."""
    return {
        "retained_min": retained_min(min_state),
        "fading_types": list(FADING_TYPES),
        "stabilities": [initial_stability(one) for one in FADING_TYPES],
        "fading_tiers": list(FADING_TIERS),
        "lasting_kinds": list(LASTING_KINDS),
        "idle_days": IDLE_DAYS_MAX,
        "forgetting_rate": FORGETTING_RATE,
    }


async def memory_stats(tx: Tx, caller: Caller) -> MemoryStats:
    """Count the memories now, markers excluded."""
    rows = await _sql.all(tx, "memory_stats", scopes=list(caller.scopes))
    counts = {(row["respect"], row["value"]): row["count"] for row in rows}

    def respect(name: str) -> dict[str, int]:
        return {value: count for (group, value), count in sorted(counts.items()) if group == name}

    state = respect("state")
    return MemoryStats(
        total=sum(state.values()),
        archived=state.get("archived", 0),
        deprecated=state.get("deprecated", 0),
        without_vector=respect("vector").get("owed", 0),
        by_scope=respect("scope"),
        by_kind=respect("kind"),
        by_tier=respect("tier"),
        by_type=respect("type"),
    )


async def markers_of(tx: Tx, task_id: UUID, *, limit: int) -> list[Memory]:
    """Return the markers of a task, newest first, visible as soon as they are saved."""
    return await _sql.all_as(Memory, tx, "markers_of_task", task_id=task_id, limit=limit)


async def recent_of_thread(
    tx: Tx, scope: str, thread: str, limit: int, *, without: str | None = None
) -> list[Memory]:
    """Return the latest memories of a thread, oldest first.

    Those whose provenance says true under the key `without` are left out.
    """
    rows = await _sql.all(tx, "recent_of_thread", scope=scope, thread=thread, without=without, limit=limit)
    return [from_row(Memory, row) for row in reversed(rows)]


async def recent_of_agent(
    tx: Tx, agent_id: UUID, kinds: Iterable[MemoryKind], limit: int, *, without: str | None = None
) -> list[Memory]:
    """Return the latest memories of these kinds that the agent saved, newest first.

    Those whose provenance says true under the key `without` are left out.
    """
    return await _sql.all_as(
        Memory,
        tx,
        "recent_of_agent",
        agent_id=agent_id,
        kinds=sorted(set(kinds)),
        without=without,
        limit=limit,
    )
