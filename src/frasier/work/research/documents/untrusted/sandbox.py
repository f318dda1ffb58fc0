"""Confinement of the process that parses untrusted bytes."""

from __future__ import annotations

import resource
import sys


def confine(memory_bytes: int) -> None:
    """Bound memory, and forbid writing files, starting processes and dumping core. It cannot be undone."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if (
        sys.platform == "linux"
    ):  # elsewhere the kernel knows no bound on address space; the time limit remains
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
