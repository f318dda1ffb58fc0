"""Bounds of time that hold on a slow machine and during a slow minute too."""

from __future__ import annotations

import os
import time
from pathlib import Path

REFERENCE_S = 0.011
"""CPU seconds of `_fixed_work` on the machine whose seconds the bounds mean: `frasier --help` takes 0.11 s there."""


_RUNS = 20


def scaled(bound_s: float) -> float:
    """Return a bound of CPU seconds multiplied by how much slower than the reference this machine is now."""
    needed = min(_timed() for _ in range(5))
    return bound_s * max(1.0, needed / REFERENCE_S)


def in_time(took_s: float, bound_s: float) -> bool:
    """Return whether something took no longer by the clock than it may on an idle reference machine.

    If it did, the bound is multiplied by how much longer than there work takes beside other work: at this moment or, as
    the other work may have just ended, in the last minute.
    """
    return took_s <= bound_s or took_s <= bound_s * max(_slowdown_now(), _slowdown_of_last_minute())


def _slowdown_now() -> float:
    started = time.monotonic()
    for _ in range(_RUNS):
        _fixed_work()
    return (time.monotonic() - started) / _RUNS / REFERENCE_S


def _slowdown_of_last_minute() -> float:
    """Estimate the slowdown from the mean number of threads that computed or were ready to, for each core."""
    threads_a_core = os.getloadavg()[0] / (os.cpu_count() or 1)
    return scaled(1.0) * max(1.0, threads_a_core)


def busy_s() -> float:
    """Return the seconds that this process has computed, or that this thread was ready to and had no core."""
    ready_ns = 0
    if (schedule := Path("/proc/thread-self/schedstat")).exists():
        ready_ns = int(schedule.read_text(encoding="ascii").split()[1])
    return time.process_time() + ready_ns / 1e9


def _timed() -> float:
    started = time.process_time()
    _fixed_work()
    return time.process_time() - started


def _fixed_work() -> None:
    """Allocate, hash, count and sort, as the code under test does."""
    counts: dict[str, int] = {}
    for word in [f"word{number % 997}" for number in range(40_000)]:
        counts[word] = counts.get(word, 0) + len(word)
    sorted(counts.items(), key=lambda pair: (pair[1], pair[0]))
