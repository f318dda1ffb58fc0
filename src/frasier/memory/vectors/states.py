"""The states of the tokens of a memory, for comparing them with those of a query one by one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from frasier.memory.changes import note_change
from frasier.memory.vectors.types import SpaceRef, VectorEntry
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.vectors")


async def save_states(tx: Tx, space: SpaceRef, entries: Sequence[VectorEntry]) -> None:
    """Replaces the token states of the given memories in that space by those of `entries` that have any.

    A memory that is no longer there is passed over. A PostgreSQL store does this in `upsert`; with an external
    store it is done by the caller, in the transaction that follows.
    """
    nums = sorted({entry.memory_num for entry in entries})
    if nums:
        there = await _sql.all(tx, "lock_memories", nums=nums)
        await note_change(tx, (row["scope"] for row in there))
        await replace_states(tx, space, entries)


async def replace_states(tx: Tx, space: SpaceRef, entries: Sequence[VectorEntry]) -> None:
    """save_states for whoever holds the memories' locks already."""
    nums = sorted({entry.memory_num for entry in entries})
    await _sql.run(tx, "clear_states", nums=nums, space=space.id)
    given = [(entry.memory_num, entry.part, entry.states) for entry in entries if entry.states]
    if given:
        of, parts, states = (list(column) for column in zip(*given, strict=True))
        await _sql.run(tx, "insert_states", space=space.id, nums=of, parts=parts, states=states)


async def states_of(tx: Tx, space_id: int, nums: Collection[int]) -> dict[int, list[bytes]]:
    """The token states of the memories' parts, in order: rows of 128 int8. A memory without any is left out."""
    # As bytes: in text every byte would be two digits, to be sent and read.
    cursor = await tx.execute(
        _sql.by_name["states_of"], {"nums": sorted(nums), "space": space_id}, binary=True
    )
    found: dict[int, list[bytes]] = {}
    for row in await cursor.fetchall():
        found.setdefault(row["memory_num"], []).append(row["states"])
    return found
