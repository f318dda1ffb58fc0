"""Identity of a process in the database: a unique name from which its machine can tell whether it still lives."""

from __future__ import annotations

import os
import socket
import sys
from functools import cache
from pathlib import Path

from frasier.kernel.ids import new_id

_ZOMBIE = "Z"


def process_name() -> str:
    """Return the name of this process: `place:pid:start`."""
    return _name(os.getpid())  # not cached: a forked child is another process


def application_name() -> str:
    """Return the name under which PostgreSQL shows the connections of this process: its command and its id."""
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    named = f"frasier {command[:20]}" if command.isascii() and command.isalpha() else "frasier"
    return f"{named} (process {os.getpid()})"


def holder_name() -> str:
    """Return a unique name for one of several holders of leases in this process."""
    return f"{process_name()}:{new_id().hex[-6:]}"


def process_has_ended(name: str) -> bool:
    """Whether `name`, of a process or of a holder in it, is of a process of this machine that has ended; False if that
    cannot be determined here.
    """
    place, _, rest = name.rpartition(f"{_place()}:")
    pid, _, start = rest.partition(":")
    start = start.partition(":")[0]
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
    """The start time of the process in clock ticks since boot, which distinguishes reuses of a process id; None if it
    has ended, also where nobody has noticed that yet.
    """
    try:
        # The program's name is in parentheses and may itself contain blanks and parentheses.
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(") ")[2].split()
    except OSError:
        return None
    return None if fields[0] == _ZOMBIE else fields[19]
