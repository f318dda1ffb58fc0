"""The names of workers: unique, and on their own machine traceable to their process."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from frasier.kernel.ids import new_id


def _place() -> str:
    """Identify the machine and the process namespace in it (a container has its own)."""
    try:
        space = os.stat("/proc/self/ns/pid").st_ino  # noqa: PTH116  a link that must not be resolved by name
    except OSError:
        space = 0
    return f"{socket.gethostname()}-{space:x}"


def worker_name() -> str:
    """Return a unique name: machine, process and a random part."""
    return f"{_place()}-{os.getpid()}-{new_id().hex[-6:]}"


def is_gone(name: str) -> bool:
    """Whether the worker `name` ran on this machine and its process has ended; False if unknown.

    If another process has its number by now, the worker counts as alive, and its lease expires by itself.
    """
    place, _, rest = name.rpartition(f"{_place()}-")
    process, _, _ = rest.partition("-")
    if place or not process.isdigit():
        return False
    return not Path(f"/proc/{process}").exists() and Path("/proc/self").exists()
