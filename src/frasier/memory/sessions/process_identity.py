"""Identity of the process that serves a session: a unique name from which its machine can tell whether it lives."""

from __future__ import annotations

import os
import socket
from functools import cache
from pathlib import Path


def process_owner() -> str:
    """The name of this process: `place:pid:start`."""
    return _name(os.getpid())  # not cached: a forked child is another owner


def is_gone(owner: str) -> bool:
    """Whether `owner` was a process of this machine that has ended; False if that cannot be determined here."""
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
    """The host name and the PID namespace, within which process ids are unique (a container has its own)."""
    try:
        space = os.stat("/proc/self/ns/pid").st_ino  # noqa: PTH116  a link that must not be resolved by name
    except OSError:
        space = 0
    return f"{socket.gethostname()}-{space:x}"


def _start(pid: str) -> str | None:
    """The start time of the process in clock ticks since boot, which distinguishes reuses of a process id."""
    try:
        # The program's name is in parentheses and may itself contain blanks and parentheses.
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(") ")[2].split()[19]
    except OSError:
        return None
