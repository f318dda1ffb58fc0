"""All tools of the memory by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
from frasier.interfaces.memory_tools.upkeep import UPKEEP
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
