"""Write the catalog of tools, from which hosts get their listings; with --check, only check that it is current."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from frasier.interfaces.mcp.server import full_listing
from frasier.interfaces.operations import AnyOperation
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.organisation.registry import ORGANISATION_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.interfaces.tool_catalog import FILE


def entry(operation: AnyOperation) -> Mapping[str, Any]:
    """Return the catalog entry of an operation."""
    listing = full_listing(operation).model_dump(by_alias=True, exclude_none=True, mode="json")
    return {"layer": operation.layer.value, "listing": listing}


def catalog() -> str:
    entries = {
        "board": [entry(operation) for operation in TASK_OPERATIONS.values()],
        "organisation": [entry(operation) for operation in ORGANISATION_OPERATIONS.values()],
        "memory": [entry(operation) for operation in MEMORY_OPERATIONS.values()],
    }
    return json.dumps(entries, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(FILE.read_text("utf-8") != catalog())
    FILE.write_text(catalog(), encoding="utf-8")
