"""All tools of tasks by name, and which of them a host is given that asks for nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from frasier.interfaces.task_tools.checking import CHECKING
from frasier.interfaces.task_tools.deciding import DECIDING
from frasier.interfaces.task_tools.going_on import GOING_ON
from frasier.interfaces.task_tools.moving import MOVING
from frasier.interfaces.task_tools.reading import READING
from frasier.interfaces.task_tools.writing import WRITING
from frasier.interfaces.tools import Tool

_ALL: Iterable[Tool[Any]] = (*GOING_ON, *READING, *WRITING, *MOVING, *CHECKING, *DECIDING)

TASK_TOOLS: Mapping[str, Tool[Any]] = {tool.name: tool for tool in _ALL}

DEFAULT_WITH_MEMORY = (
    "task_recover",
    "task_wait",
    "task_get",
    "task_claim",
    "task_renew",
    "task_edit",
    "task_deliver",
    "task_move",
    "task_block",
    "task_note",
    "memory_search",
    "memory_save",
)
"""What a host is given that asks for nothing else: enough to work on a board with a memory."""
