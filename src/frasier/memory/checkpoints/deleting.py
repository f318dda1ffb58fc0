"""Deleting memories: one by its id, or all that something holds for, of which a checkpoint is made before."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.memory.access import Caller
from frasier.memory.changes import note_change
from frasier.memory.checkpoints.keeping import keep_before
from frasier.memory.checkpoints.removing import choose_doomed, remove
from frasier.memory.checkpoints.types import RULES, CheckpointRules, Deleted
from frasier.memory.intake import FOUNDERS_TIERS
from frasier.memory.types import ImportanceTier
from frasier.store import Tx

IDS_MAX = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which memories: those for which everything that is given holds. `older_than_days` is since they were saved."""

    ids: tuple[UUID, ...] = ()
    scope: str | None = None
    tier: ImportanceTier | None = None
    older_than_days: float | None = None


async def delete_memory(tx: Tx, caller: Caller, memory_id: UUID) -> Deleted:
    """Deletes one memory for good. Raises NotFound (E080), and NotAllowed for what binds everybody."""
    doomed = await choose_doomed(tx, caller, caller.scopes, ids=[memory_id])
    if not doomed.ids:
        raise _unknown(memory_id)
    if doomed.spared:
        caller.require_founder("delete a constitutional or critical memory, or a directive")
    await note_change(tx, doomed.scopes)
    return Deleted(count=await remove(tx, doomed.nums), gone=doomed.nums)


async def delete_memories(
    tx: Tx,
    caller: Caller,
    selection: Selection,
    *,
    confirm: bool,
    skip_checkpoint: bool = False,
    rules: CheckpointRules = RULES,
) -> Deleted:
    """Deletes what is selected of the caller's scopes, after a checkpoint of just that, which is named.

    A checkpoint can be merged to bring it back. What binds everybody is deleted for the founder only: asked for by
    id or tier it raises NotAllowed, else it is spared and counted. Where nothing is selected the count is 0 and
    nothing was done. Raises InvalidInput without `confirm` or without any condition (E031), for too many ids or
    an age that is none (E032); NotFound (E080) where an id is not there, and then nothing was deleted; Refused
    (E062) where the checkpoint would be too large.
    """
    _check(selection, confirm=confirm)
    if selection.tier in FOUNDERS_TIERS:
        caller.require_founder(f"delete {selection.tier} memories")
    scopes = caller.scopes if selection.scope is None else caller.allow([selection.scope])
    doomed = await choose_doomed(
        tx,
        caller,
        scopes,
        ids=selection.ids or None,
        tier=selection.tier,
        older_than_days=selection.older_than_days,
    )
    if missing := sorted(set(selection.ids) - doomed.ids):
        raise _unknown(missing[0])
    if selection.ids and doomed.spared:
        caller.require_founder("delete constitutional and critical memories, and directives")
    if not doomed.nums:
        return Deleted(count=0, spared=doomed.spared)
    checkpoint = None
    if not skip_checkpoint:
        checkpoint = (await keep_before(tx, caller, "delete", doomed.scopes, doomed.nums, rules)).name
    await note_change(tx, doomed.scopes)
    count = await remove(tx, doomed.nums)
    return Deleted(count=count, spared=doomed.spared, checkpoint=checkpoint, gone=doomed.nums)


def _check(selection: Selection, *, confirm: bool) -> None:
    if selection == Selection():
        raise InvalidInput(
            "Nothing says which memories shall be deleted.",
            kept="Nothing was deleted.",
            hint="Name ids, a scope, a tier, or an age in days.",
            number="E031",
        )
    if not confirm:
        raise InvalidInput(
            "Deleting many memories must be confirmed.",
            kept="Nothing was deleted.",
            hint="Ask again with confirm.",
            number="E031",
        )
    if len(selection.ids) > IDS_MAX:
        raise InvalidInput(
            f"{len(selection.ids)} ids are more than {IDS_MAX}.",
            kept="Nothing was deleted.",
            hint="Delete them in several goes.",
            number="E032",
        )
    if selection.older_than_days is not None and not 0 <= selection.older_than_days <= 36_500:
        raise InvalidInput(
            f"{selection.older_than_days} is no age in days.",
            kept="Nothing was deleted.",
            hint="0 to 36500.",
            number="E032",
        )


def _unknown(memory_id: UUID) -> NotFound:
    return NotFound(
        f"There is no memory {memory_id}.",
        kept="Nothing was deleted.",
        advice=Advice("memory.list", to="see those that there are"),
        number="E080",
    )
