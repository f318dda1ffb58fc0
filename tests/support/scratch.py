"""Temporary directories of tests."""

import shutil
from pathlib import Path

_IN_MEMORY = Path("/dev/shm")
_ENOUGH_BYTES = 8 << 30


def _place() -> Path:
    """In memory where that has room: a database is a thousand files, and making them is what it costs (1/9 there)."""
    roomy = _IN_MEMORY.is_dir() and shutil.disk_usage(_IN_MEMORY).free >= _ENOUGH_BYTES
    return _IN_MEMORY if roomy else Path("/tmp")


SCRATCH = _place()
"""Short, as the sockets below it must be, and open to the service user."""
