"""From the tables to a snapshot: what cannot be made again first, then as much of the rest as there is room for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import LiteralString

from frasier.kernel.errors import Refused
from frasier.memory.checkpoints.snapshot import SnapshotWriter
from frasier.memory.checkpoints.types import CheckpointRules
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.checkpoints")

# In the order in which they are put back: each row finds there what it refers to.
_ROWS: dict[str, LiteralString] = {
    "item": _sql.by_name["dump_items"],
    "version": _sql.by_name["dump_versions"],
    "trigger": _sql.by_name["dump_triggers"],
    "link": _sql.by_name["dump_unresolved_links"],
    "edge": _sql.by_name["dump_edges"],
    "correction": _sql.by_name["dump_corrections"],
    "strength": _sql.by_name["dump_strengths"],
    "adjustment": _sql.by_name["dump_adjustments"],
}
# What an encoder can make again from the rest. Token states take most of the room.
_DERIVED: dict[str, LiteralString] = {
    "vector": _sql.by_name["dump_vectors"],
    "states": _sql.by_name["dump_token_states"],
}
_FETCHED = 100


async def take_snapshot(
    tx: Tx, scopes: Sequence[str], nums: Sequence[int] | None, rules: CheckpointRules
) -> SnapshotWriter:
    """The memories of `scopes` (of them those of `nums`, where given) with everything that hangs on them.

    A few rows at a time are in memory beside the compressed snapshot. Vectors and token states for which there is
    no room are left out and owed at a restore. Raises Refused (E062) where the rest alone is too large.
    """
    writer = SnapshotWriter()
    spaces = await _sql.all(tx, "space_identities")
    writer.begin(spaces=spaces)
    for kind, statement in _ROWS.items():
        async with aclosing(_read(tx, statement, scopes, nums)) as batches:
            async for lines in batches:
                await asyncio.to_thread(writer.add, kind, lines)
                if writer.size > rules.bytes_max:
                    raise _too_large(rules)
    complete = True
    for kind, statement in _DERIVED.items():
        complete = complete and await _add_derived(tx, writer, kind, statement, scopes, nums, rules)
    writer.end(complete=complete)
    if writer.size > rules.bytes_max:
        raise _too_large(rules)
    return writer


async def _add_derived(
    tx: Tx,
    writer: SnapshotWriter,
    kind: str,
    statement: LiteralString,
    scopes: Sequence[str],
    nums: Sequence[int] | None,
    rules: CheckpointRules,
) -> bool:
    """Adds rows while there is room for them; returns whether there was room for all."""
    async with aclosing(_read(tx, statement, scopes, nums)) as batches:
        async for lines in batches:
            if not writer.room_for(lines, rules.bytes_max):
                return False
            await asyncio.to_thread(writer.add, kind, lines)
    return True


async def _read(
    tx: Tx, statement: LiteralString, scopes: Sequence[str], nums: Sequence[int] | None
) -> AsyncGenerator[list[str], None]:
    async with tx.cursor(name="snapshot") as cursor:
        await cursor.execute(
            statement, {"scopes": list(scopes), "nums": None if nums is None else list(nums)}
        )
        while rows := await cursor.fetchmany(_FETCHED):
            yield [row["line"] for row in rows]


def _too_large(rules: CheckpointRules) -> Refused:
    return Refused(
        f"The memories do not fit into a checkpoint of {rules.bytes_max / 1024 / 1024:.0f} MB.",
        kept="Nothing was changed.",
        hint="Make one checkpoint for each scope, or back the database up as a whole.",
        number="E062",
    )
