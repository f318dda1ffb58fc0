"""All tools by name, and which of them a host is given."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from frasier.interfaces.memory_tools.changing import CHANGING
from frasier.interfaces.memory_tools.checkpoints import CHECKPOINTS
from frasier.interfaces.memory_tools.context import CONTEXT
from frasier.interfaces.memory_tools.correcting import CORRECTING
from frasier.interfaces.memory_tools.graph import GRAPH
from frasier.interfaces.memory_tools.learning import LEARNING
from frasier.interfaces.memory_tools.recalling import RECALLING
from frasier.interfaces.memory_tools.saving import SAVE
from frasier.interfaces.memory_tools.sessions import SESSIONS
from frasier.interfaces.memory_tools.tool import Layer, MemoryTool
from frasier.interfaces.memory_tools.upkeep import UPKEEP
from frasier.kernel.errors import InvalidInput

_ALL: Iterable[MemoryTool[Any]] = (
    CONTEXT,
    *RECALLING,
    SAVE,
    *CHANGING,
    *GRAPH,
    *CORRECTING,
    *LEARNING,
    *SESSIONS,
    *CHECKPOINTS,
    *UPKEEP,
)

TOOLS: Mapping[str, MemoryTool[Any]] = {tool.name: tool for tool in _ALL}

DEFAULT_TOOLS = (
    "memory_context",
    "memory_search",
    "memory_get",
    "memory_save",
    "memory_update",
    "memory_delete",
    "memory_why",
    "memory_link",
    "memory_correct",
    "memory_correct_undo",
    "session_save",
    "session_recover",
)
"""What a host is given that asks for nothing else: enough to save, recall, ask why, correct, undo and go on."""


def choose_tools(
    *, names: Collection[str] = (), layers: Collection[int] = ()
) -> Mapping[str, MemoryTool[Any]]:
    """The tools of those names and layers in the registry's order; the default ones where neither is given.

    Raises InvalidInput for a name or layer that there is none of.
    """
    unknown = sorted(set(names) - TOOLS.keys())
    if unknown:
        raise InvalidInput(
            f"There is no tool {unknown[0][:80]!r}.", number="E030", hint=f"There are {', '.join(TOOLS)}."
        )
    if not set(layers) <= set(Layer):
        raise InvalidInput("There is no such layer.", number="E032", hint="Layers are 1 to 5.")
    if not names and not layers:
        names = DEFAULT_TOOLS
    return {name: tool for name, tool in TOOLS.items() if name in names or tool.layer in layers}
