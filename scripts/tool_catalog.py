"""Writes the catalog of tools that hosts are answered from; with --check only says whether it is current."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from frasier.interfaces.mcp.server import whole_listing
from frasier.interfaces.memory_tools import TOOLS
from frasier.interfaces.task_tools import TASK_TOOLS
from frasier.interfaces.tool_catalog import FILE
from frasier.interfaces.tools import Envelope, Tool, short_schema


def entry(tool: Tool[Any]) -> Mapping[str, Any]:
    """A tool as the catalog has it. What each answers is the same for all, and stands there once."""
    listing = whole_listing(tool).model_dump(by_alias=True, exclude_none=True, mode="json")
    del listing["outputSchema"]
    return {"layer": tool.layer.value, "listing": listing}


def catalog() -> str:
    kept = {
        "board": [entry(tool) for tool in TASK_TOOLS.values()],
        "memory": [entry(tool) for tool in TOOLS.values()],
        "outputSchema": short_schema(Envelope),
    }
    return json.dumps(kept, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(FILE.read_text("utf-8") != catalog())
    FILE.write_text(catalog(), encoding="utf-8")
