"""Timed runs of the programs of the product, as a person would start them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

FRASIER = (sys.executable, "-m", "frasier")


def run_program(
    command: Sequence[str], environment: Mapping[str, str], *, seconds: float = 300.0
) -> tuple[float, subprocess.CompletedProcess[str]]:
    """Runs `command` to its end and returns the seconds it took; raises where it failed."""
    started = time.perf_counter()
    ended = subprocess.run(
        command, env=dict(environment), check=False, capture_output=True, text=True, timeout=seconds
    )
    taken = time.perf_counter() - started
    if ended.returncode != 0:
        raise RuntimeError(f"{' '.join(command[:5])} ended with {ended.returncode}: {ended.stderr[-800:]}")
    return taken, ended
