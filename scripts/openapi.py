"""Write docs/openapi.json, the description of the HTTP API; with --check, only check that it is current."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from frasier.interfaces.http.openapi import openapi_document
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.organisation.registry import ORGANISATION_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.interfaces.resources import RESOURCES

DOCUMENT = Path(__file__).parents[1] / "docs" / "openapi.json"


def rendered() -> str:
    """Return the document as it is stored."""
    operations = {**ORGANISATION_OPERATIONS, **TASK_OPERATIONS, **MEMORY_OPERATIONS}
    return json.dumps(openapi_document(RESOURCES, operations), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(DOCUMENT.read_text("utf-8") != rendered())
    DOCUMENT.write_text(rendered(), encoding="utf-8")
