"""What the memory needs done again and again: vectors that are owed, what has expired or faded, what is left behind."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count
from typing import TypeAlias

from frasier.memory.changes import forget_changes
from frasier.memory.checkpoints import forget_old_checkpoints
from frasier.memory.engine import MemoryEngine
from frasier.memory.forgetting import archive_faded, expire
from frasier.memory.indexing import index_pending, refresh_statistics
from frasier.memory.sessions import expire_sessions, recover_sessions
from frasier.store import Tx

Upkeep: TypeAlias = tuple[str, float, Callable[[], Awaitable[object]]]
"""A name, how often in seconds, and what is done. Each is safe to be done twice and to be cut off."""

PROMPT = frozenset({"postings", "sizes"})
"""Jobs that whoever saves and recalls needs soon; the others can be left to a process that stays."""

VECTORS = "vectors"
"""The job that makes the vectors that are owed."""

_VECTORS_AT_ONCE = 32
# After these rounds of vectors the spaces are looked after out of turn: a process that starts opens its encoder's
# space, and what was being saved at that moment is owed no vector until somebody looks.
_LOOKED_AFTER = frozenset({2, 8, 32})
_POSTINGS_AT_ONCE = 500


def upkeep(engine: MemoryEngine) -> list[Upkeep]:
    """The jobs of the memory, for whoever keeps time."""

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
