"""Memories that come up without being asked for: those that bind everybody, and those that a phrase calls."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from frasier.interfaces.operations import OperationContext, Output
from frasier.kernel.text import shorten
from frasier.memory import Memory, surfaced_memories

_TITLE_CHARS = 100


class BindingMemory(Output):
    """A memory that binds everybody; without its text where there was no room for that."""

    id: UUID
    title: str
    text: str = ""


class CalledMemoryOutput(Output):
    """A memory that phrases of a prompt call."""

    id: UUID
    title: str
    phrases: tuple[str, ...] = ()


class SurfacedOutput(Output):
    """A part of an answer: the memories that come up beside what was asked for."""

    binding: tuple[BindingMemory, ...] = ()
    called: tuple[CalledMemoryOutput, ...] = ()


async def surface(
    context: OperationContext, prompt: str = "", *, tokens: int, known: Collection[UUID] = ()
) -> SurfacedOutput:
    """Find the memories that are constitutional, and those that a phrase in `prompt` calls.

    Binding texts take at most `tokens`; of those that do not fit the title is named. `known` is in the answer already.
    """
    surfaced = await context.memory.in_transaction(
        surfaced_memories, context.caller, prompt, tokens=tokens, known=known
    )
    called = tuple(
        CalledMemoryOutput(id=match.memory.id, title=_title(match.memory), phrases=match.phrases)
        for match in surfaced.called
    )
    return SurfacedOutput(binding=_fitted(context, surfaced.binding, tokens), called=called)


def _fitted(context: OperationContext, binding: Sequence[Memory], tokens: int) -> tuple[BindingMemory, ...]:
    shown = []
    left = tokens
    for memory in binding:
        cost = context.memory.counter.count(memory.content)
        text = memory.content if cost <= left else ""
        left -= cost if text else 0
        shown.append(BindingMemory(id=memory.id, title=_title(memory), text=text))
    return tuple(shown)


def _title(memory: Memory) -> str:
    return memory.title or shorten(" ".join(memory.content.split()), _TITLE_CHARS)
