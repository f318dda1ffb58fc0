"""Every tool as a host is shown it, read from a file that is made from the tools: no code of theirs has to be loaded.

`python scripts/tool_catalog.py` makes the file; a test holds it against the tools.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from frasier.interfaces.tool_catalog.selection import Layer

FILE = Path(__file__).with_name("catalog.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogEntry:
    """A tool by name. `listing` is its part of an answer to `tools/list`, where every tool is offered."""

    layer: Layer
    listing: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The tools of the boards and those of the memory, by name."""

    board: Mapping[str, CatalogEntry]
    memory: Mapping[str, CatalogEntry]

    @property
    def every(self) -> Mapping[str, CatalogEntry]:
        """All of them, those of the boards first."""
        return {**self.board, **self.memory}


@cache
def catalog() -> Catalog:
    """The catalog of this version."""
    kept = json.loads(FILE.read_text("utf-8"))

    def entries(group: str) -> Mapping[str, CatalogEntry]:
        return {
            one["listing"]["name"]: CatalogEntry(layer=Layer(one["layer"]), listing=one["listing"])
            for one in kept[group]
        }

    return Catalog(board=entries("board"), memory=entries("memory"))
