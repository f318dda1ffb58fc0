"""The listing of every tool, read from a generated file, so that no code of the tools has to be loaded.

`python scripts/tool_catalog.py` generates the file; a test compares it with the tools.
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
    """One tool. `listing` is its part of a response to `tools/list` when every tool is offered."""

    layer: Layer
    listing: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The tools of the organisation, of the boards and of the memory, by name."""

    organisation: Mapping[str, CatalogEntry]
    board: Mapping[str, CatalogEntry]
    memory: Mapping[str, CatalogEntry]

    @property
    def all_tools(self) -> Mapping[str, CatalogEntry]:
        """All tools, those of the boards first and of the organisation last."""
        return {**self.board, **self.memory, **self.organisation}


@cache
def catalog() -> Catalog:
    """Return the catalog of this version."""
    groups = json.loads(FILE.read_text("utf-8"))

    def entries(group: str) -> Mapping[str, CatalogEntry]:
        return {
            entry["listing"]["name"]: CatalogEntry(layer=Layer(entry["layer"]), listing=entry["listing"])
            for entry in groups[group]
        }

    return Catalog(organisation=entries("organisation"), board=entries("board"), memory=entries("memory"))
