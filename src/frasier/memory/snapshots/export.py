"""Export memories to a snapshot: first the rows that cannot be recomputed, then as many derived rows as fit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import LiteralString

from frasier.kernel.errors import Refused
from frasier.memory.snapshots.file_format import SnapshotWriter
from frasier.memory.snapshots.types import CheckpointRules
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.snapshots")

# In the order of restoring, so that each row refers only to rows before it.
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
# Rows that an encoder can recompute from the others. Token states are the largest.
_DERIVED: dict[str, LiteralString] = {
    "vector": _sql.by_name["dump_vectors"],
    "states": _sql.by_name["dump_token_states"],
}
_FETCHED = 100


async def take_snapshot(
    tx: Tx, scopes: Sequence[str], nums: Sequence[int] | None, rules: CheckpointRules
) -> SnapshotWriter:
    """Export the memories of `scopes`, or of them those with `nums`, with all rows that belong to them.

    Only a few rows at a time are in memory beside the compressed snapshot. Vectors and token states that do not fit
    are left out and recomputed after a restore. Raises Refused (E062) if the other rows alone are too large.
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
    """Add rows as long as they fit; returns whether all of them did."""
    async with aclosing(_read(tx, statement, scopes, nums)) as batches:
        async for lines in batches:
            if not writer.has_room(lines, rules.bytes_max):
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
        hint="Create one checkpoint per scope, or back up the whole database.",
        number="E062",
    )
