"""Periodic jobs of the memory: missing vectors, expired and faded memories, leftovers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count
from typing import TypeAlias

from frasier.memory.cache_invalidation import forget_changes
from frasier.memory.engine import MemoryEngine
from frasier.memory.forgetting.archive import archive_faded, expire
from frasier.memory.posting_backfill import index_pending, refresh_statistics
from frasier.memory.sessions.lifecycle import expire_sessions, recover_sessions
from frasier.memory.snapshots.manage import forget_old_checkpoints
from frasier.store import Tx

Upkeep: TypeAlias = tuple[str, float, Callable[[], Awaitable[object]]]
"""A job: name, interval in seconds, and function. Each may run twice or be interrupted safely."""

PROMPT = frozenset({"postings", "sizes"})
"""Jobs that saving and recalling soon depend on; the others can be left to a long-running process."""

VECTORS = "vectors"
"""The name of the job that makes missing vectors."""

_VECTORS_AT_ONCE = 32
# After these rounds of vectors the spaces are maintained out of turn: a process that starts opens its encoder's
# space, and a memory that was being saved at that moment has no embedding job until then.
_LOOKED_AFTER = frozenset({2, 8, 32})
_POSTINGS_AT_ONCE = 500


def upkeep(engine: MemoryEngine) -> list[Upkeep]:
    """Return the periodic jobs of the memory, for a scheduler to run."""

    def inside(job: Callable[[Tx], Awaitable[object]]) -> Callable[[], Awaitable[None]]:
        async def run() -> None:
            async with engine.database.transaction() as tx:
                await job(tx)

        return run

    rounds = count(1)

    async def embed() -> None:
        await engine.embed_due(limit=_VECTORS_AT_ONCE)
        if next(rounds) in _LOOKED_AFTER:
            await engine.tend_vectors()

    async def index(tx: Tx) -> None:
        await index_pending(tx, _POSTINGS_AT_ONCE)

    return [
        ("postings", 5.0, inside(index)),
        ("sizes", 300.0, inside(refresh_statistics)),
        (VECTORS, 2.0, embed),
        ("vector-spaces", 600.0, engine.tend_vectors),
        ("idle-encoder", 60.0, engine.release_if_idle),
        ("expire", 60.0, inside(expire)),
        ("archive", 3600.0, inside(archive_faded)),
        ("sessions", 30.0, inside(recover_sessions)),
        ("session-pages", 600.0, inside(expire_sessions)),
        ("checkpoints", 3600.0, inside(forget_old_checkpoints)),
        ("changes", 600.0, inside(forget_changes)),
    ]
