"""Return of freed memory to the system: glibc keeps the memory of a native library until malloc_trim."""

from __future__ import annotations

import ctypes
import sys


def return_freed_memory() -> None:
    """Call malloc_trim, if the C library has it."""
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
