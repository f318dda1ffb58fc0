"""The snapshot of committed memories at the start of a recall."""

from __future__ import annotations

from frasier.memory.recall.vector import read_start
from frasier.store import Tx


async def snapshot(tx: Tx) -> str:
    return (await read_start(tx)).seen
