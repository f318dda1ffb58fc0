"""Restoring a checkpoint: all of it in the caller's transaction, or nothing."""

from __future__ import annotations

import struct
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from uuid import UUID

import psycopg

from frasier.kernel.errors import InvalidInput
from frasier.kernel.faults import fault_point
from frasier.memory.access import Caller
from frasier.memory.changes import note_change
from frasier.memory.checkpoints.keeping import keep_before, use_checkpoint
from frasier.memory.checkpoints.putting_back import PuttingBack
from frasier.memory.checkpoints.removing import choose_doomed, remove
from frasier.memory.checkpoints.snapshot import damaged, read_batches
from frasier.memory.checkpoints.types import RULES, Checkpoint, CheckpointRules, Restored, RestoreMode
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.checkpoints")

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
    skip_checkpoint: bool = False,
    rules: CheckpointRules = RULES,
) -> Restored:
    """Puts the memories of a checkpoint back, with everything that hung on them, under the same ids.

    MERGE adds what is missing. CLEAR removes first what is in the checkpoint's scopes now, after a checkpoint of
    its own (unless `skip_checkpoint`). What binds everybody is neither removed nor brought back without the
    founder. The files of restored memories are read again at the next scan.

    When anything fails, nothing is changed, even if the caller's transaction goes on. Raises NotFound (E060),
    StoreError (E061) for a damaged snapshot, InvalidInput (E030) for clearing for a partial checkpoint, and Refused
    (E062) where the checkpoint before clearing would be too large.
    """
    async with tx.transaction():  # a savepoint
        checkpoint = await use_checkpoint(tx, caller, name)
        cleared = _Cleared()
        if mode is RestoreMode.CLEAR:
            cleared = await _clear(tx, caller, checkpoint, rules, skip_checkpoint=skip_checkpoint)
        back = PuttingBack(tx, founder=caller.founder)
        try:
            async with aclosing(read_batches(_pieces(tx, checkpoint.id))) as batches:
                async for kind, records in batches:
                    await back.put(kind, records)
        except (psycopg.DataError, psycopg.IntegrityError) as error:
            raise damaged("the database refuses a row of it") from error
        except (KeyError, TypeError, ValueError, struct.error) as error:
            raise damaged("a row of it is not what was written") from error
        await note_change(tx, checkpoint.scopes)
        fault_point("restore.before_commit")
    return Restored(
        name=checkpoint.name,
        mode=mode,
        removed=len(cleared.nums),
        added=len(back.added),
        present=back.present,
        withheld=back.withheld,
        spared=cleared.spared,
        edges=back.edges,
        owed=back.owed,
        safety=cleared.safety,
        gone=tuple(sorted(set(cleared.nums) - set(back.added.values()))),
    )


async def _clear(
    tx: Tx, caller: Caller, checkpoint: Checkpoint, rules: CheckpointRules, *, skip_checkpoint: bool
) -> _Cleared:
    if checkpoint.partial:
        raise InvalidInput(
            f"The checkpoint {checkpoint.name} holds only what was deleted then; clearing for it would lose the rest.",
            kept="Nothing was changed.",
            hint="Restore it by merging.",
            number="E030",
        )
    safety = None
    if not skip_checkpoint:
        safety = (await keep_before(tx, caller, "restore", checkpoint.scopes, None, rules)).name
    doomed = await choose_doomed(tx, caller, checkpoint.scopes)
    await remove(tx, doomed.nums)
    return _Cleared(nums=doomed.nums, spared=doomed.spared, safety=safety)


async def _pieces(tx: Tx, checkpoint_id: UUID) -> AsyncIterator[bytes]:
    at = 1
    while piece := (await _sql.one(tx, "snapshot_piece", id=checkpoint_id, at=at, bytes=_PIECE))["piece"]:
        yield piece
        at += len(piece)
