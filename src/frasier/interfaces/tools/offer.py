"""An offer: some tools, and how they introduce themselves to a host that knows nothing else of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from frasier.interfaces.tools.tool import Tool
from frasier.workflow import Board


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """`name` is for programs, `title` for people; `instructions` a model reads before it calls a tool. `board` is there
    where tools of tasks are among the tools.
    """

    name: str
    title: str
    instructions: str
    tools: Mapping[str, Tool[Any]]
    board: Board | None = None
