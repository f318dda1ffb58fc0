"""All tools of tasks by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from frasier.interfaces.task_tools.command_runs import CHECKING
from frasier.interfaces.task_tools.decisions import DECIDING
from frasier.interfaces.task_tools.read import READING
from frasier.interfaces.task_tools.session import GOING_ON
from frasier.interfaces.task_tools.transitions import MOVING
from frasier.interfaces.task_tools.write import WRITING
from frasier.interfaces.tools import Tool

_ALL: Iterable[Tool[Any]] = (*GOING_ON, *READING, *WRITING, *MOVING, *CHECKING, *DECIDING)

TASK_TOOLS: Mapping[str, Tool[Any]] = {tool.name: tool for tool in _ALL}
