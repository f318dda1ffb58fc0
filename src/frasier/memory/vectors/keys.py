"""The key under which a vector is stored: one for each scope and kind."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from functools import lru_cache

from frasier.memory.types import MemoryKind


@lru_cache(maxsize=4096)
def scope_key(scope: str, kind: MemoryKind) -> int:
    """The first eight bytes, signed, of BLAKE2b over scope, NUL and kind.

    The kind is in it because most of a scope may be of a kind that nobody asked for, such as conversation: then
    the nearest vectors are all of no use, and finding the others takes a look at every memory.
    """
    return int.from_bytes(hashlib.blake2b(f"{scope}\0{kind}".encode()).digest()[:8], "big", signed=True)


def scope_keys(scopes: Collection[str], kinds: Collection[MemoryKind]) -> list[int]:
    """The keys of every one of `scopes` with every one of `kinds`."""
    return sorted(scope_key(scope, kind) for scope in set(scopes) for kind in set(kinds))
