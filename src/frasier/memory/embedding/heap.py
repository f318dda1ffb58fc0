"""Freed memory back to the system: glibc keeps what a native library used until it is told."""

from __future__ import annotations

import ctypes
import sys


def return_freed_memory() -> None:
    """Does nothing where the C library has no such call."""
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
