"""The benchmark of the memory engine runs at a size that says nothing, and draws what it measured."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from support.scratch import SCRATCH

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]

TARGETS = {
    "scoring of 200 candidates, p95": "≤ 10",
    "scoring of 1,000 candidates, p95": "≤ 10",
    "scoring at 500, p95": "≤ 10",
    "save at 500 memories, durable, p95": "≤ 10",
}
UNJUDGED = {
    "retrieval and fusion at 500 memories, p95",
    "both, p95 at 500",
    "ten nearest vectors at 500, p95",
    "ten best by words at 500, p95",
    "the whole default recall at 500 memories, p95",
    "the same with a misspelt word at 500, p95",
    "the same asked once more at 500, p95",
    "save at 500 against a bare durable commit, p50 to p50",
    "memories saved a second beside 500, 500 at once",
}


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """One run of the engine's measures over 500 synthetic memories."""
    # Not below pytest's own folder: its name is too long for a socket, and root's is closed to the service user.
    scratch = Path(tempfile.mkdtemp(prefix="bench-test-", dir=SCRATCH))
    scratch.chmod(0o755)
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "bench", "--quick", "--only", "engine", "--sizes", "500", "--json"],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(scratch)},
            capture_output=True,
            text=True,
            timeout=110,
        )
        assert not list(scratch.iterdir()), "something was left behind"
    finally:
        shutil.rmtree(scratch)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_the_engine_is_measured_beside_its_targets(report: dict[str, Any]) -> None:
    found = {figure["what"]: figure for figure in report["figures"]}
    assert {what: figure["target"] for what, figure in found.items()} == TARGETS | dict.fromkeys(UNJUDGED)
    assert all(math.isfinite(figure["value"]) and figure["value"] > 0 for figure in found.values())


def test_a_small_memory_is_searched_exactly(report: dict[str, Any]) -> None:
    nearest = next(figure for figure in report["figures"] if figure["what"].startswith("ten nearest"))
    assert "1.000 of the exact ten" in nearest["detail"]


@pytest.mark.parametrize(
    ("arguments", "name", "told"),
    [
        (["decay"], "decay.svg", ["working", "meta-cognitive", "dormant"]),
        (["latency", "report.json"], "latency-by-size.svg", ["retrieval and fusion", "500"]),
        (["arms", "arms.json"], "recall-by-arm.svg", ["lexical only", "0.581"]),
    ],
)
def test_what_was_measured_is_drawn(
    report: dict[str, Any], tmp_path: Path, arguments: list[str], name: str, told: list[str]
) -> None:
    (tmp_path / "report.json").write_text(json.dumps(report), encoding="utf-8")
    arm = {"arm": "lexical only", "questions": 3, "overall": {"recall_10": 0.581}}
    collection = {"collection": "three", "memories": 5, "arms": [arm]}
    (tmp_path / "arms.json").write_text(json.dumps(collection), encoding="utf-8")
    (tmp_path / "scripts").mkdir()
    script = shutil.copy(ROOT / "scripts" / "memory_plots.py", tmp_path / "scripts")
    subprocess.run([sys.executable, script, *arguments], cwd=tmp_path, check=True, timeout=60)
    drawn = ET.parse(tmp_path / "docs" / "memory" / name)
    said = " ".join("".join(element.itertext()) for element in drawn.iter())
    assert all(word in said for word in told)
