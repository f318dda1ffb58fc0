"""Delete one memory by its id, or all memories that match a selection after a checkpoint of them."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound
from frasier.kernel.humanize import person, plural
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import note_change
from frasier.memory.snapshots.manage import checkpoints_with, create_automatic_checkpoint
from frasier.memory.snapshots.purge import DeletableMemories, delete_locked, lock_deletable, retired_for
from frasier.memory.snapshots.types import RULES, CheckpointRules, Deleted
from frasier.memory.types import ImportanceTier
from frasier.memory.validation import FOUNDERS_TIERS
from frasier.store import Tx

IDS_MAX = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Conditions on memories, all of which must hold. `older_than_days` counts from when they were saved."""

    ids: tuple[UUID, ...] = ()
    scope: str | None = None
    tier: ImportanceTier | None = None
    older_than_days: float | None = None


async def delete_memory(tx: Tx, caller: Caller, memory_id: UUID, *, keep_checkpoint: bool = False) -> Deleted:
    """Delete one memory, permanently unless a checkpoint of it is kept.

    Raises NotFound (E080), and NotAllowed if it is binding or somebody else's.
    """
    if keep_checkpoint:
        return await delete_memories(tx, caller, Selection(ids=(memory_id,)), confirm=True)
    deletable = await lock_deletable(tx, caller, caller.scopes, ids=[memory_id])
    if not deletable.matched:
        raise _unknown(memory_id)
    _refuse_spared(caller, deletable)
    return await _delete(tx, caller, deletable, checkpoint=None)


async def delete_memories(
    tx: Tx,
    caller: Caller,
    selection: Selection,
    *,
    confirm: bool,
    skip_checkpoint: bool = False,
    rules: CheckpointRules = RULES,
) -> Deleted:
    """Delete the selected memories of the caller's scopes, after a checkpoint of exactly those memories.

    The result names the checkpoint, which can be merged to restore them. Directives, memories of the founder's tiers
    and those that somebody else saved are deleted for the founder only: selected by id, or by such a tier, they raise
    NotAllowed, otherwise they are spared and counted. If nothing matches, the count is 0 and nothing is done. Raises
    InvalidInput without `confirm` or without any condition (E031), and for too many ids or an invalid age (E032);
    NotFound (E080) if an id does not exist, and then nothing is deleted; Refused (E062) if the checkpoint would be too
    large.
    """
    _check(selection, confirm=confirm)
    if selection.tier in FOUNDERS_TIERS:
        caller.require_founder(f"delete {selection.tier} memories")
    scopes = caller.scopes if selection.scope is None else caller.allow([selection.scope])
    deletable = await lock_deletable(
        tx,
        caller,
        scopes,
        ids=selection.ids or None,
        tier=selection.tier,
        older_than_days=selection.older_than_days,
    )
    if missing := sorted(set(selection.ids) - deletable.matched):
        raise _unknown(missing[0])
    if selection.ids:
        _refuse_spared(caller, deletable)
    if not deletable.nums:
        return Deleted(count=0, spared=deletable.spared)
    checkpoint = None
    if not skip_checkpoint:
        checkpoint = (
            await create_automatic_checkpoint(tx, caller, "delete", deletable.scopes, deletable.nums, rules)
        ).name
    return await _delete(tx, caller, deletable, checkpoint=checkpoint)


async def _delete(tx: Tx, caller: Caller, deletable: DeletableMemories, *, checkpoint: str | None) -> Deleted:
    """Delete the locked memories, and find out what can bring them back."""
    held_in: tuple[str, ...] = ()
    elsewhere = 0
    if checkpoint is None and deletable.oldest is not None:
        held_in, elsewhere = await checkpoints_with(
            tx, caller, deletable.ids, scopes=deletable.scopes, oldest=deletable.oldest
        )
    retired = await retired_for(tx, deletable.ids)
    await note_change(tx, deletable.scopes)
    return Deleted(
        count=await delete_locked(tx, deletable.nums),
        spared=deletable.spared,
        checkpoint=checkpoint,
        gone=deletable.nums,
        files=deletable.files,
        held_in=held_in,
        held_elsewhere=elsewhere,
        retired=retired,
    )


def _check(selection: Selection, *, confirm: bool) -> None:
    if selection == Selection():
        raise InvalidInput(
            "No condition selects the memories to delete.",
            kept="Nothing was deleted.",
            hint="Give ids, a scope, a tier, or an age in days.",
            number="E031",
        )
    if not confirm:
        raise InvalidInput(
            "Deleting many memories must be confirmed.",
            kept="Nothing was deleted.",
            hint="Repeat it with confirm.",
            number="E031",
        )
    if len(selection.ids) > IDS_MAX:
        raise InvalidInput(
            f"{len(selection.ids)} ids are too many; at most {IDS_MAX} are allowed.",
            kept="Nothing was deleted.",
            hint="Delete them in several steps.",
            number="E032",
        )
    if selection.older_than_days is not None and not 0 <= selection.older_than_days <= 36_500:
        raise InvalidInput(
            f"{selection.older_than_days} is not a valid age in days.",
            kept="Nothing was deleted.",
            hint="Use 0 to 36500.",
            number="E032",
        )


def _refuse_spared(caller: Caller, deletable: DeletableMemories) -> None:
    """Raise NotAllowed if the caller may not delete one of the memories that were selected by id."""
    if deletable.binding:
        caller.require_founder("delete a constitutional or critical memory, or a directive")
    if deletable.others:
        raise NotAllowed(
            f"{plural(deletable.others, 'memory was', 'memories were')} saved by somebody else than"
            f" {person(caller.name)}.",
            kept="Nothing was deleted.",
            hint="Only its author and the founder can delete a memory.",
            advice=Advice("memory.correct", to="record what is wrong with it, which can be undone"),
        )


def _unknown(memory_id: UUID) -> NotFound:
    return NotFound(
        f"There is no memory {memory_id}.",
        kept="Nothing was deleted.",
        advice=Advice("memory.list", to="see the existing ones"),
        number="E080",
    )
