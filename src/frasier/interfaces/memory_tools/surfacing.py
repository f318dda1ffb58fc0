"""What comes up without being asked for: what binds everybody, and memories that a phrase in the request calls."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import Any
from uuid import UUID

from frasier.interfaces.tools import Surroundings, told
from frasier.kernel.errors import NotFound
from frasier.kernel.text import shorten
from frasier.memory import (
    Caller,
    ImportanceTier,
    Memory,
    find_memory,
    fit_directives,
    list_memories,
    match_triggers,
)
from frasier.store import Tx

_BINDING_MAX = 10
_CALLED_MAX = 3
_MATCHES_MAX = 50
_PROMPT_CHARS = 5_000
_TITLE_CHARS = 100


async def surface(
    around: Surroundings, prompt: str = "", *, tokens: int, known: Collection[UUID] = ()
) -> dict[str, Any]:
    """Under `binding` what is constitutional, under `called` what a phrase in `prompt` calls; empty where nothing is.

    Binding texts take at most `tokens`; of those that do not fit the title is named. `known` is in the answer already.
    """
    async with around.engine.database.transaction() as tx:
        binding = await _binding(tx, around.caller, tokens)
        called = await _called(tx, around.caller, prompt, {*known, *(memory.id for memory in binding)})
    return told(binding=_fitted(around, binding, tokens), called=called)


async def _binding(tx: Tx, caller: Caller, tokens: int) -> list[Memory]:
    """What the founder directed, then what is constitutional in the caller's scopes; each once."""
    page = await list_memories(tx, caller, tier=ImportanceTier.CONSTITUTIONAL, limit=_BINDING_MAX)
    directives = await fit_directives(tx, tokens=tokens)
    found = [*directives.included, *page.memories, *directives.left_out]
    return list({memory.id: memory for memory in reversed(found)}.values())[::-1][:_BINDING_MAX]


def _fitted(around: Surroundings, binding: list[Memory], tokens: int) -> list[dict[str, Any]]:
    shown = []
    left = tokens
    for memory in binding:
        cost = around.engine.counter.count(memory.content)
        text = memory.content if cost <= left else ""
        left -= cost if text else 0
        shown.append(told(id=memory.id, title=memory.title or _beginning(memory), text=text))
    return shown


async def _called(tx: Tx, caller: Caller, prompt: str, known: Collection[UUID]) -> list[dict[str, Any]]:
    if not prompt.strip():
        return []
    matches = await match_triggers(
        tx, caller, prompt[:_PROMPT_CHARS], limit=min(_CALLED_MAX + len(known), _MATCHES_MAX)
    )
    called = []
    for match in [match for match in matches if match.memory_id not in known][:_CALLED_MAX]:
        with suppress(NotFound):  # deleted by somebody else since it was matched
            memory = await find_memory(tx, caller, str(match.memory_id))
            called.append(told(id=memory.id, title=memory.title or _beginning(memory), phrases=match.phrases))
    return called


def _beginning(memory: Memory) -> str:
    return shorten(" ".join(memory.content.split()), _TITLE_CHARS)
