"""The founder's page over many missions, tasks and events is fast and takes little memory: the figures of `make bench`.

The short form has fewer of them, and checks what other programs on the machine cannot spoil.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_ROOT = Path(__file__).parents[2]
_NEEDS_QUIET = ("p95",)


def _measure(*options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench", "--only", "page", "--json", *options]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr[-2_000:]
    return {figure["what"]: figure for figure in json.loads(done.stdout)["figures"]}


def _missed(figures: dict[str, Any]) -> list[str]:
    return [
        f"{what}: {figure['value']:.1f} {figure['unit']}, {figure['target']} wanted; {figure['detail']}"
        for what, figure in figures.items()
        if figure["met"] is False
    ]


def test_the_page_is_fast_and_small_over_some_missions():
    figures = _measure("--quick")
    assert {
        "an event reaches the stream, p95",
        "100 open streams, PSS",
        "the page in `frasier up`, PSS",
    } <= set(figures)
    assert (
        _missed({what: figure for what, figure in figures.items() if not what.endswith(_NEEDS_QUIET)}) == []
    )


@pytest.mark.slow
@pytest.mark.timeout(1_200)
def test_the_page_is_fast_and_small_over_a_thousand_missions_and_a_million_events():
    assert _missed(_measure()) == []
