"""Explicit updates of a memory: new values replace old ones, and the old content is kept as a version."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.kernel.humanize import person
from frasier.kernel.redaction import redact
from frasier.memory.access import Caller
from frasier.memory.admission.versions import held_memory, refuse_duplicate, refuse_other_version
from frasier.memory.ownership import require_own
from frasier.memory.save import replace_content
from frasier.memory.types import ImportanceTier, MemoryType
from frasier.store import Tx

_TEXTS = frozenset({"content", "title", "tags", "triggers"})


async def update_memory(
    tx: Tx,
    caller: Caller,
    memory_id: UUID,
    *,
    reason: str,
    content: str | None = None,
    title: str | None = None,
    tags: tuple[str, ...] | None = None,
    triggers: tuple[str, ...] | None = None,
    tier: ImportanceTier | None = None,
    importance: int | None = None,
    memory_type: MemoryType | None = None,
    valid_from: datetime | None = None,
    valid_until: datetime | None = None,
    keep_secrets: bool = False,
    expected_version: int | None = None,
) -> int:
    """Replace the fields that are not None; return the memory's version, which is unchanged if nothing would change.

    Secrets are removed from the new values, unless `keep_secrets`; other fields are unchanged.

    Raises NotFound (E080) outside the caller's scopes, NotAllowed for somebody else's memory and for a binding memory
    or tier, InvalidInput as saving does, and if another memory has exactly the new content (E084); Stale if it is not
    at `expected_version`.
    """
    fields: dict[str, Any] = {
        "content": content,
        "title": title,
        "tags": tags,
        "triggers": triggers,
        "tier": tier,
        "importance": importance,
        "memory_type": memory_type,
        "valid_from": valid_from,
        "valid_until": valid_until,
    }
    held = await held_memory(tx, caller, memory_id)
    require_own(caller, held.provenance, "change")
    if expected_version is not None:
        await refuse_other_version(tx, memory_id, expected_version)
        held = await held_memory(tx, caller, memory_id)  # as it is under the lock
    changes = {name: value for name, value in fields.items() if value is not None}
    if held.keep_secrets and not keep_secrets:
        # Secrets that were kept deliberately stay; the new texts are another matter.
        changes |= {name: _redacted(changes[name]) for name in _TEXTS & changes.keys()}
    updated = replace(held, **changes, keep_secrets=held.keep_secrets or keep_secrets)
    as_it_stands = updated.keep_secrets or content is None
    await refuse_duplicate(tx, memory_id, replace(updated, keep_secrets=as_it_stands))
    return await replace_content(
        tx,
        memory_id,
        updated,
        founder=caller.founder,
        reason=(reason if keep_secrets else redact(reason)[0]) or f"changed by {person(caller.name)}",
        changed_by=caller.name,
        verbatim=frozenset({held.content, held.title, *held.tags, *held.triggers}),
    )


def _redacted(value: str | tuple[str, ...]) -> str | tuple[str, ...]:
    return redact(value)[0] if isinstance(value, str) else tuple(redact(text)[0] for text in value)
