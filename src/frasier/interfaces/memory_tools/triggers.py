"""What comes up without being asked for: what binds everybody, and memories that a phrase in the request calls."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from frasier.interfaces.tools import Surroundings, told
from frasier.kernel.text import shorten
from frasier.memory import Memory, surfaced_memories

_TITLE_CHARS = 100


async def surface(
    around: Surroundings, prompt: str = "", *, tokens: int, known: Collection[UUID] = ()
) -> dict[str, Any]:
    """Under `binding` what is constitutional, under `called` what a phrase in `prompt` calls; empty where nothing is.

    Binding texts take at most `tokens`; of those that do not fit the title is named. `known` is in the answer already.
    """
    surfaced = await around.engine.in_transaction(
        surfaced_memories, around.caller, prompt, tokens=tokens, known=known
    )
    called = [
        told(id=one.memory.id, title=one.memory.title or _beginning(one.memory), phrases=one.phrases)
        for one in surfaced.called
    ]
    return told(binding=_fitted(around, surfaced.binding, tokens), called=called)


def _fitted(around: Surroundings, binding: Sequence[Memory], tokens: int) -> list[dict[str, Any]]:
    shown = []
    left = tokens
    for memory in binding:
        cost = around.engine.counter.count(memory.content)
        text = memory.content if cost <= left else ""
        left -= cost if text else 0
        shown.append(told(id=memory.id, title=memory.title or _beginning(memory), text=text))
    return shown


def _beginning(memory: Memory) -> str:
    return shorten(" ".join(memory.content.split()), _TITLE_CHARS)
