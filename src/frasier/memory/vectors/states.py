"""Storage of token states, which late interaction compares with those of a query one by one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from frasier.memory.cache_invalidation import note_change
from frasier.memory.vectors.types import SpaceRef, VectorEntry
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.vectors")


async def save_states(tx: Tx, space: SpaceRef, entries: Sequence[VectorEntry]) -> None:
    """Replace the token states of the memories in that space by those of `entries` that have any.

    Deleted memories are skipped. A PostgreSQL store does this in `upsert`; with an external store the caller does it,
    in the transaction that follows.
    """
    nums = sorted({entry.memory_num for entry in entries})
    if nums:
        locked = await _sql.all(tx, "lock_memories", nums=nums)
        await note_change(tx, (row["scope"] for row in locked))
        await replace_states(tx, space, entries)


async def replace_states(tx: Tx, space: SpaceRef, entries: Sequence[VectorEntry]) -> None:
    """Do what save_states does, for a caller that has locked the memories."""
    nums = sorted({entry.memory_num for entry in entries})
    await _sql.run(tx, "clear_states", nums=nums, space=space.id)
    with_states = [(entry.memory_num, entry.part, entry.states) for entry in entries if entry.states]
    if with_states:
        of, parts, states = (list(column) for column in zip(*with_states, strict=True))
        await _sql.run(tx, "insert_states", space=space.id, nums=of, parts=parts, states=states)


async def states_of(tx: Tx, space_id: int, nums: Collection[int]) -> dict[int, list[bytes]]:
    """Return the token states of the memories' parts, in order: rows of 128 int8. Memories without any are left out."""
    # In binary: as text every byte would be sent as two digits.
    cursor = await tx.execute(
        _sql.by_name["states_of"], {"nums": sorted(nums), "space": space_id}, binary=True
    )
    states_by_num: dict[int, list[bytes]] = {}
    for row in await cursor.fetchall():
        states_by_num.setdefault(row["memory_num"], []).append(row["states"])
    return states_by_num
