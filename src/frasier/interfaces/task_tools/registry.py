"""All tools of tasks by name."""

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
