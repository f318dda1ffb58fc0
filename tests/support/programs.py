"""Programs of the machine that some tests need and the project does not install."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

# Read before a test's environment is emptied of what the machine has set.
_REQUIRED = os.environ.get("FRASIER_REQUIRE_TOOLS") == "1"
_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/sbin", "/usr/sbin", "/sbin"])


def needs_program(name: str, *, path: str = _PATH, required: bool = _REQUIRED) -> Path:
    """Return where the program `name` is installed; skip the test where it is not.

    With FRASIER_REQUIRE_TOOLS=1 a missing program fails the test instead.
    """
    if executable := shutil.which(name, path=path):
        return Path(executable)
    reason = f"the program {name} is not installed"
    if required:
        pytest.fail(f"{reason}, and FRASIER_REQUIRE_TOOLS=1 is set")
    pytest.skip(reason)
