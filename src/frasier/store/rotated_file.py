"""Files that only grow: one older part of each is kept, so that years of running do not fill the disk."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import BinaryIO

BYTES_MAX = 5 * 1024 * 1024
"""The size from which a file is rotated."""


def older_part(path: Path) -> Path:
    """Return where the part of a file before its last rotation is."""
    return path.with_name(f"{path.name}.1")


def is_long(path: Path) -> bool:
    """Whether the file has reached the size at which it is rotated."""
    try:
        return path.stat().st_size > BYTES_MAX
    except FileNotFoundError:
        return False


def open_to_append(path: Path) -> BinaryIO:
    """Open the file of its owner alone, locked until it is closed; a long one becomes the older part, and a new one is
    begun.

    It can be read as well. Any number of processes may append; none loses what another wrote.
    """
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
        file = os.fdopen(descriptor, "ab+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            # Another process may have rotated it while this one waited for the lock.
            if _is_at(file, path):
                if not is_long(path):
                    return file
                path.replace(older_part(path))
        except BaseException:
            file.close()
            raise
        file.close()


def _is_at(file: BinaryIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
