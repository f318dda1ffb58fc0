"""Import one exported memory through the gate, once however often its export is read."""

from __future__ import annotations

from dataclasses import asdict, replace
from uuid import UUID

from frasier.kernel.errors import NotFound
from frasier.kernel.text import fingerprint
from frasier.memory.access import Caller
from frasier.memory.admission.save_gate import GateAction
from frasier.memory.external_writes.contribution import Contributed, contribute
from frasier.memory.forgetting.archive import archive
from frasier.memory.forgetting.visibility import check_visible
from frasier.memory.types import ImportanceTier, NewMemory
from frasier.store import Tx

_NEW = frozenset({GateAction.CREATED, GateAction.LINKED})


async def import_memory(
    tx: Tx,
    caller: Caller,
    new: NewMemory,
    *,
    origin_id: str | None,
    archived: bool = False,
    gate: bool = True,
) -> Contributed:
    """Save `new` as contribute does. `origin_id` names it where it comes from: under it the same memory is saved once.

    Where a memory of that scope has that id, it is the one, whatever it says by now. What was replaced there is
    compared with nothing here, so that it replaces nothing; what was archived there is archived here,
    unless it was here before. Raises NotFound for a memory that was imported and deleted since, and as contribute does.
    """
    caller.allow([new.scope])
    if origin_id is None:
        return await contribute(tx, caller, new, gate=gate)
    if (present := await _present(tx, replace(caller, scopes=(new.scope,)), origin_id)) is not None:
        return Contributed(id=present, saved=None)
    try:
        contributed = await contribute(
            tx,
            caller,
            new,
            key=f"import:{origin_id}:{fingerprint(asdict(new))[:32]}",
            gate=gate and new.tier is not ImportanceTier.DEPRECATED,
        )
    except NotFound:
        raise NotFound(
            "It was imported before, and has been deleted since.",
            number="E080",
            kept="Nothing was saved.",
            hint="To save it again, leave out its id.",
        ) from None
    if archived and contributed.saved is not None and contributed.saved.action in _NEW:
        await archive(tx, [contributed.id])
    return contributed


async def _present(tx: Tx, caller: Caller, origin_id: str) -> UUID | None:
    """Return the id as that of a memory in the caller's scopes, or None."""
    try:
        return (await check_visible(tx, caller, [UUID(origin_id)]))[0]
    except (ValueError, NotFound):
        return None
