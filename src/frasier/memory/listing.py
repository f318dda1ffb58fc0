"""Looking at memories without searching: one by its id, a page of them, and how many there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import CANDIDATES, ambiguous
from frasier.memory.access import Caller
from frasier.memory.called import part_of_id
from frasier.memory.rows import memory_of
from frasier.memory.types import ImportanceTier, Memory, MemoryKind
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory")

LIMIT_MAX = 100


class Order(StrEnum):
    """What a page begins with."""

    NEWEST = "created_at"
    CHANGED = "updated_at"
    IMPORTANCE = "importance"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPage:
    """Some memories, and how many there are in all."""

    memories: tuple[Memory, ...]
    total: int
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStats:
    """How many memories there are in the caller's scopes, in several respects."""

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


async def find_memory(tx: Tx, caller: Caller, wanted: str) -> Memory:
    """The memory of that id, or of which that is the only one's beginning or end (at least 8 characters).

    Archived and deprecated ones are found as well. Raises NotFound (E080), InvalidInput where several match.
    """
    compact = part_of_id(wanted, "a memory")
    least = UUID(compact.ljust(32, "0"))
    most = UUID(compact.ljust(32, "f"))
    rows = await _sql.all(
        tx,
        "find_memories",
        least=least,
        most=most,
        ending=compact,
        scopes=list(caller.scopes),
        limit=CANDIDATES,
    )
    if not rows:
        raise NotFound(
            f"There is no memory {wanted[:60]}.",
            number="E080",
            advice=Advice("memory.list", to="see those that there are"),
        )
    if len(rows) > 1:
        raise ambiguous(wanted, "memories", [str(row["id"]) for row in rows], number="E030")
    return memory_of(rows[0])


async def list_memories(
    tx: Tx,
    caller: Caller,
    *,
    scopes: tuple[str, ...] = (),
    kinds: frozenset[MemoryKind] | None = None,
    tier: ImportanceTier | None = None,
    order: Order = Order.NEWEST,
    archived: bool = False,
    limit: int = 20,
    offset: int = 0,
) -> MemoryPage:
    """A page of what can be recalled, or of what is archived. Markers are left out unless asked for by kind."""
    if not 1 <= limit <= LIMIT_MAX or not 0 <= offset <= 1_000_000:
        raise InvalidInput(
            f"A page of {limit} from {offset} on cannot be shown.", number="E032", hint="1 to 100."
        )
    asked = {
        "scopes": list(caller.allow(scopes)),
        "kinds": sorted(kinds if kinds is not None else frozenset(MemoryKind) - {MemoryKind.MARKER}),
        "tier": tier,
        "archived": archived,
    }
    rows = await _sql.all(tx, "list_memories", **asked, order=order, limit=limit, offset=offset)
    total = (await _sql.one(tx, "count_memories", **asked))["total"]
    return MemoryPage(memories=tuple(memory_of(row) for row in rows), total=total, offset=offset)


async def memory_stats(tx: Tx, caller: Caller) -> MemoryStats:
    """Counted now; markers are not among them."""
    rows = await _sql.all(tx, "memory_stats", scopes=list(caller.scopes))
    counts = {(row["respect"], row["value"]): row["count"] for row in rows}

    def respect(name: str) -> dict[str, int]:
        return {value: count for (found, value), count in sorted(counts.items()) if found == name}

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
