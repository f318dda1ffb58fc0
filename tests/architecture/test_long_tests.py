"""The list of long tests names tests that there are: a renamed test would otherwise stay in it for ever."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_long_test_is_there() -> None:
    lines = (ROOT / "tests" / "long_tests.txt").read_text("utf-8").splitlines()
    named = [line.split("::") for line in lines if not line.startswith("#")]
    assert named
    texts = {file: (ROOT / file).read_text("utf-8") for file, _ in named if (ROOT / file).is_file()}
    gone = [f"{file}::{name}" for file, name in named if not re.search(rf"def {name}\(", texts.get(file, ""))]
    assert gone == [], "renew the list with scripts/long_tests.py, or rename the lines"
