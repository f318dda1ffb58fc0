"""Take from this process what a parser of foreign bytes does not need."""

from __future__ import annotations

import resource
import sys


def confine(memory_bytes: int) -> None:
    """Bound memory, and forbids to write files, start processes or dump core. It cannot be undone."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if (
        sys.platform == "linux"
    ):  # elsewhere the kernel knows no bound on address space; the time limit remains
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
