"""Timed runs of the product's programs, started as a person would start them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

FRASIER = (sys.executable, "-m", "frasier")


def run_program(
    command: Sequence[str], environment: Mapping[str, str], *, seconds: float = 300.0
) -> tuple[float, subprocess.CompletedProcess[str]]:
    """Run `command` to its end and return its seconds and its result; raise RuntimeError if it fails."""
    started = time.perf_counter()
    process = subprocess.run(
        command, env=dict(environment), check=False, capture_output=True, text=True, timeout=seconds
    )
    elapsed = time.perf_counter() - started
    if process.returncode != 0:
        raise RuntimeError(
            f"{' '.join(command[:5])} ended with {process.returncode}: {process.stderr[-800:]}"
        )
    return elapsed, process
