"""Documents that are generated from the code are current."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("script", ["state_machine.py", "settings_doc.py", "tool_catalog.py"])
def test_the_generated_document_is_current(script: str) -> None:
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / script), "--check"], cwd=ROOT, check=False)
    assert done.returncode == 0, f"run python scripts/{script}"
