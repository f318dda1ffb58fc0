"""Keys of stored vectors: one for each scope and kind."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from functools import lru_cache

from frasier.memory.types import MemoryKind


@lru_cache(maxsize=4096)
def scope_key(scope: str, kind: MemoryKind) -> int:
    """Return the first eight bytes, signed, of BLAKE2b over scope, NUL and kind.

    The kind is included because most of a scope may be of a kind that is not searched, such as conversation: then
    the nearest vectors would all be useless, and finding the others would visit every memory.
    """
    return int.from_bytes(hashlib.blake2b(f"{scope}\0{kind}".encode()).digest()[:8], "big", signed=True)


def scope_keys(scopes: Collection[str], kinds: Collection[MemoryKind]) -> list[int]:
    """Return the keys of every one of `scopes` with every one of `kinds`."""
    return sorted(scope_key(scope, kind) for scope in set(scopes) for kind in set(kinds))
