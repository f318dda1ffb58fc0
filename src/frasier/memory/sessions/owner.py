"""Which process serves a session: a name that no other process has, and that tells on its machine if it lives."""

from __future__ import annotations

import os
import socket
from functools import cache
from pathlib import Path


def process_owner() -> str:
    """The name of this process: `place:pid:start`."""
    return _name(os.getpid())  # asked anew each time: a forked child is another owner


def is_gone(owner: str) -> bool:
    """Whether `owner` was a process of this machine and has ended; False where that cannot be known here."""
    place, _, rest = owner.rpartition(f"{_place()}:")
    pid, _, start = rest.partition(":")
    if place or not (pid.isdigit() and start.isdigit()) or not Path("/proc/self/stat").exists():
        return False
    return _start(pid) != start


@cache
def _name(pid: int) -> str:
    return f"{_place()}:{pid}:{_start('self') or 0}"


@cache
def _place() -> str:
    """The machine, and within it the space in which process numbers mean something (a container has its own)."""
    try:
        space = os.stat("/proc/self/ns/pid").st_ino  # noqa: PTH116  a link that must not be resolved by name
    except OSError:
        space = 0
    return f"{socket.gethostname()}-{space:x}"


def _start(pid: str) -> str | None:
    """When the process began, in clock ticks since the machine did: a number that is used again has another."""
    try:
        # The name of the program stands in parentheses and may itself hold blanks and parentheses.
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(") ")[2].split()[19]
    except OSError:
        return None
