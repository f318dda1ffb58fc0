"""The names of workers: unique everywhere, and telling, on their own machine, whether their process still lives."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from frasier.kernel.ids import new_id


def _place() -> str:
    """The machine, and within it the space in which process numbers mean something (a container has its own)."""
    try:
        space = os.stat("/proc/self/ns/pid").st_ino  # noqa: PTH116  a link that must not be resolved by name
    except OSError:
        space = 0
    return f"{socket.gethostname()}-{space:x}"


def worker_name() -> str:
    """A name that no other worker has: machine, process and a random part."""
    return f"{_place()}-{os.getpid()}-{new_id().hex[-6:]}"


def is_gone(name: str) -> bool:
    """Whether the worker `name` was one of this machine and its process has ended; False where that is not known.

    A process that merely has the number of a worker that ended makes it count as living: then its lease runs out.
    """
    place, _, rest = name.rpartition(f"{_place()}-")
    process, _, _ = rest.partition("-")
    if place or not process.isdigit():
        return False
    return not Path(f"/proc/{process}").exists() and Path("/proc/self").exists()
