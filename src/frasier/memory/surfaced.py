"""Memories that come up without being asked for: those that bind everybody, and those that a phrase calls."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.errors import NotFound
from frasier.memory.access import Caller
from frasier.memory.admission.triggers import match_triggers
from frasier.memory.directives import fit_directives
from frasier.memory.lists import find_memory, list_memories
from frasier.memory.types import ImportanceTier, Memory
from frasier.store import Tx

_BINDING_MAX = 10
_CALLED_MAX = 3
_MATCHES_MAX = 50
_PROMPT_CHARS = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CalledMemory:
    """A memory with the phrases of a prompt that call it."""

    memory: Memory
    phrases: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Surfaced:
    """The binding memories, and those recalled by a prompt."""

    binding: tuple[Memory, ...]
    called: tuple[CalledMemory, ...]


async def surfaced_memories(
    tx: Tx, caller: Caller, prompt: str, *, tokens: int, known: Collection[UUID] = ()
) -> Surfaced:
    """Read what comes up with a prompt. The founder's directives that fit `tokens` come first; `known` memories are not
    called.
    """
    page = await list_memories(tx, caller, tier=ImportanceTier.CONSTITUTIONAL, limit=_BINDING_MAX)
    directives = await fit_directives(tx, tokens=tokens)
    found = [*directives.included, *page.memories, *directives.left_out]
    binding = list({memory.id: memory for memory in reversed(found)}.values())[::-1][:_BINDING_MAX]
    left_out = {*known, *(memory.id for memory in binding)}
    called = await called_memories(tx, caller, prompt[:_PROMPT_CHARS], limit=_CALLED_MAX, left_out=left_out)
    return Surfaced(binding=tuple(binding), called=tuple(called))


async def called_memories(
    tx: Tx, caller: Caller, prompt: str, *, limit: int, left_out: Collection[UUID] = ()
) -> list[CalledMemory]:
    """Read the memories that phrases in the prompt call, but for those `left_out`; the best match first."""
    if not prompt.strip():
        return []
    matches = await match_triggers(tx, caller, prompt, limit=min(limit + len(left_out), _MATCHES_MAX))
    called = []
    for match in [match for match in matches if match.memory_id not in left_out][:limit]:
        with suppress(NotFound):  # deleted by somebody else since it was matched
            memory = await find_memory(tx, caller, str(match.memory_id))
            called.append(CalledMemory(memory=memory, phrases=tuple(match.phrases)))
    return called
