"""Read an open file, of which no more than a limit is taken."""

from __future__ import annotations

import os


def read_up_to(descriptor: int, size: int) -> bytes:
    """Read a file from where its descriptor stands, to its end or to `size` bytes."""
    parts: list[bytes] = []
    remaining = size
    while remaining and (part := os.read(descriptor, min(remaining, 1 << 20))):
        parts.append(part)
        remaining -= len(part)
    return b"".join(parts)
