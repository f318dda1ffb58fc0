"""Changing a memory on purpose: what is given is replaced, the rest stays, and what it said before is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.kernel.redaction import redact
from frasier.memory.access import Caller
from frasier.memory.save import replace_content
from frasier.memory.saving.versions import held_memory, refuse_a_twin
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
) -> int:
    """The version that the memory has afterwards; the same as before where nothing would change.

    Secrets are taken out of what is given, unless `keep_secrets`; what is not given stays as it is.

    Raises NotFound (E080) outside of the caller's scopes, NotAllowed for what binds everybody and for a tier that
    would, InvalidInput as saving does,
    and where another memory says exactly that (E084).
    """
    given: dict[str, Any] = {
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
    changes = {name: value for name, value in given.items() if value is not None}
    if held.keep_secrets and not keep_secrets:
        # What was kept deliberately stays; what is said now is another text.
        changes |= {name: _redacted(changes[name]) for name in _TEXTS & changes.keys()}
    wanted = replace(held, **changes, keep_secrets=held.keep_secrets or keep_secrets)
    as_it_stands = wanted.keep_secrets or content is None
    await refuse_a_twin(tx, memory_id, replace(wanted, keep_secrets=as_it_stands))
    return await replace_content(
        tx,
        memory_id,
        wanted,
        founder=caller.founder,
        reason=(reason if keep_secrets else redact(reason)[0]) or f"changed by {caller.name}",
        as_they_are=frozenset({held.content, held.title, *held.tags, *held.triggers}),
    )


def _redacted(value: str | tuple[str, ...]) -> str | tuple[str, ...]:
    return redact(value)[0] if isinstance(value, str) else tuple(redact(one)[0] for one in value)
