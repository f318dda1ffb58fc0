"""Small file systems in memory, which are full soon. To mount them takes root."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[None]:
    """Mount a file system of that size ("4k") over a folder; skip the test where that is not allowed."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", str(place)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"a file system cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(place)], check=True)


def fill(place: Path) -> Path:
    """Write a file that leaves no room; return it."""
    filler = place / "filler"
    with filler.open("wb") as file:
        try:
            while file.write(bytes(65_536)):
                file.flush()
        except OSError:
            return filler
