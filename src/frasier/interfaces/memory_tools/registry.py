"""All tools of the memory by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from frasier.interfaces.memory_tools.change import CHANGING
from frasier.interfaces.memory_tools.context import CONTEXT
from frasier.interfaces.memory_tools.corrections import CORRECTING
from frasier.interfaces.memory_tools.graph import GRAPH
from frasier.interfaces.memory_tools.learning import LEARNING
from frasier.interfaces.memory_tools.maintenance import UPKEEP
from frasier.interfaces.memory_tools.recall import RECALLING
from frasier.interfaces.memory_tools.save import SAVE
from frasier.interfaces.memory_tools.sessions import SESSIONS
from frasier.interfaces.memory_tools.snapshots import CHECKPOINTS
from frasier.interfaces.tools import Tool

_ALL: Iterable[Tool[Any]] = (
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

TOOLS: Mapping[str, Tool[Any]] = {tool.name: tool for tool in _ALL}
