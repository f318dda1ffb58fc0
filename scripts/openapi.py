"""Write docs/openapi.json, the description of the HTTP API; with --check, only check that it is current."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from frasier.interfaces.http.openapi import openapi_document
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.organisation.registry import ORGANISATION_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.interfaces.resources import RESOURCES

_MARK = "\x01"
_QUOTED = re.compile(r'"\\u0001(?:[^"\\]|\\.)*"')
_COMPONENTS = {"securitySchemes", "schemas", "headers", "parameters", "responses"}
DOCUMENT = Path(__file__).parents[1] / "docs" / "openapi.json"


def rendered() -> str:
    """Return the document as it is stored."""
    operations = {**ORGANISATION_OPERATIONS, **TASK_OPERATIONS, **MEMORY_OPERATIONS}
    document = openapi_document(RESOURCES, operations)
    lines = json.dumps(_compact(document), indent=1, ensure_ascii=False)
    return _QUOTED.sub(lambda match: json.loads(match[0]).removeprefix(_MARK), lines) + "\n"


def _compact(document: dict[str, Any], depth: int = 0) -> Any:
    """Replace each entry of the paths and components by its text, so that it takes one line."""
    return {
        name: _compact(value, depth + 1)
        if isinstance(value, dict) and (depth == 0 or (depth == 1 and name in _COMPONENTS))
        else _MARK + json.dumps(value, ensure_ascii=False)
        for name, value in document.items()
    }


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(DOCUMENT.read_text("utf-8") != rendered())
    DOCUMENT.write_text(rendered(), encoding="utf-8")
