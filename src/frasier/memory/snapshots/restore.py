"""Restore a checkpoint in the caller's transaction, completely or not at all."""

from __future__ import annotations

import struct
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from uuid import UUID

import psycopg

from frasier.kernel.errors import InvalidInput
from frasier.kernel.fault_points import fault_point
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import note_change
from frasier.memory.snapshots.file_format import damaged, read_batches
from frasier.memory.snapshots.manage import create_automatic_checkpoint, use_checkpoint
from frasier.memory.snapshots.purge import delete_locked, lock_deletable
from frasier.memory.snapshots.restore_rows import SnapshotRestorer
from frasier.memory.snapshots.types import RULES, Checkpoint, CheckpointRules, Restored, RestoreMode
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.snapshots")

_PIECE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cleared:
    nums: tuple[int, ...] = ()
    spared: int = 0
    safety: str | None = None


async def restore_checkpoint(
    tx: Tx,
    caller: Caller,
    name: str,
    *,
    mode: RestoreMode,
    rules: CheckpointRules = RULES,
) -> Restored:
    """Restore the memories of a checkpoint, with all rows that belong to them, under the same ids.

    MERGE adds missing memories. CLEAR first deletes the current memories of the checkpoint's scopes, after an automatic
    checkpoint, except those that the caller may not delete: directives, memories of the founder's tiers, and those that
    somebody else saved. The first two are restored for the founder only. The next scan reads the files of restored
    memories again.

    On failure nothing is changed, even if the caller's transaction continues. Raises NotFound (E060), StoreError
    (E061) for a damaged snapshot, InvalidInput (E030) for CLEAR with a partial checkpoint, and Refused (E062) if
    the automatic checkpoint would be too large.
    """
    async with tx.transaction():  # a savepoint
        checkpoint = await use_checkpoint(tx, caller, name)
        cleared = _Cleared()
        if mode is RestoreMode.CLEAR:
            cleared = await _clear(tx, caller, checkpoint, rules)
        restorer = SnapshotRestorer(tx, founder=caller.founder)
        try:
            async with aclosing(read_batches(_pieces(tx, checkpoint.id))) as batches:
                async for kind, records in batches:
                    await restorer.restore(kind, records)
        except (psycopg.DataError, psycopg.IntegrityError) as error:
            raise damaged("the database rejected one of its rows") from error
        except (KeyError, TypeError, ValueError, struct.error) as error:
            raise damaged("one of its rows is malformed") from error
        await note_change(tx, checkpoint.scopes)
        fault_point("restore.before_commit")
    return Restored(
        name=checkpoint.name,
        mode=mode,
        removed=len(cleared.nums),
        added=len(restorer.added),
        present=restorer.present,
        changed=len(restorer.changed),
        withheld=restorer.withheld,
        spared=cleared.spared,
        edges=restorer.edges,
        owed=restorer.owed,
        safety=cleared.safety,
        gone=tuple(sorted(set(cleared.nums) - set(restorer.added.values()))),
    )


async def _clear(tx: Tx, caller: Caller, checkpoint: Checkpoint, rules: CheckpointRules) -> _Cleared:
    if checkpoint.partial:
        raise InvalidInput(
            f"The checkpoint {checkpoint.name} contains only deleted memories; clearing would lose all others.",
            kept="Nothing was changed.",
            hint="Restore it with the mode merge.",
            number="E030",
        )
    safety = await create_automatic_checkpoint(tx, caller, "restore", checkpoint.scopes, None, rules)
    deletable = await lock_deletable(tx, caller, checkpoint.scopes)
    await delete_locked(tx, deletable.nums)
    return _Cleared(nums=deletable.nums, spared=deletable.spared, safety=safety.name)


async def _pieces(tx: Tx, checkpoint_id: UUID) -> AsyncIterator[bytes]:
    at = 1
    while piece := (await _sql.one(tx, "snapshot_piece", id=checkpoint_id, at=at, bytes=_PIECE))["piece"]:
        yield piece
        at += len(piece)
