"""Health: whether the memory can be written and searched, found out by doing both.

A row of its own is saved, found and rolled back, so nobody ever sees it. How it stands with vectors is what the
engine knows of them: recalls go on without.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from frasier.kernel.errors import FrasierError, InvariantBroken
from frasier.kernel.ids import new_id
from frasier.kernel.logging_setup import get_logger
from frasier.memory import MemoryEngine, MemoryKind, NewMemory, Query, recall_by_words, save_memory

log = get_logger()

_SCOPE = "health"
# Who asks waits three seconds. Whoever asks often gets what was found a moment ago.
_PATIENCE_S = 2.5
_FRESH_S = 1.0


@dataclass(slots=True)
class Part:
    """One thing that must work: whether it does, how long it took, and what is wrong."""

    works: bool = False
    ms: float | None = None
    detail: str = "was not reached"

    def as_json(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"works": self.works}
        if self.ms is not None:
            shown["ms"] = self.ms
        return shown | ({"detail": self.detail} if self.detail else {})


@dataclass(slots=True, kw_only=True)
class Health:
    """`degraded` is what still answers, with less: recalls without vectors, for example."""

    database: Part = field(default_factory=Part)
    write: Part = field(default_factory=Part)
    search: Part = field(default_factory=Part)
    embedding: Part = field(default_factory=Part)

    @property
    def status(self) -> str:
        if not (self.write.works and self.search.works):
            return "down"
        return "ok" if self.embedding.works else "degraded"

    @property
    def status_code(self) -> int:
        return 503 if self.status == "down" else 200

    def as_json(self) -> dict[str, Any]:
        """Everything, for a caller who has been let in."""
        parts = {name: getattr(self, name) for name in ("database", "write", "search", "embedding")}
        reasons = [f"{name}: {part.detail}" for name, part in parts.items() if not part.works]
        shown: dict[str, Any] = {"status": self.status}
        if reasons:
            shown["reason"] = "; ".join(reasons)
        return shown | {"parts": {name: part.as_json() for name, part in parts.items()}}


class HealthProbe:
    """Looks once for all who ask at the same time, so that asking cannot become a load."""

    def __init__(self, engine: MemoryEngine) -> None:
        self._engine = engine
        self._lock = asyncio.Lock()
        self._found: tuple[float, Health] | None = None

    async def look(self) -> Health:
        """Return the health of the memory, at most a second old. Never raises, nor exceeds its patience."""
        async with self._lock:
            if self._found is None or time.monotonic() - self._found[0] > _FRESH_S:
                self._found = (time.monotonic(), await _examine(self._engine))
            return self._found[1]


async def _examine(engine: MemoryEngine) -> Health:
    health = Health()
    try:
        async with asyncio.timeout(_PATIENCE_S):
            for look in (_reach, _write_and_search, _search_alone, _ask_for_vectors):
                await _looking(look, engine, health)
    except TimeoutError:
        for part in (health.database, health.write, health.search, health.embedding):
            if not part.works:
                part.detail = f"did not answer within {_PATIENCE_S} s"
    return health


async def _looking(
    look: Callable[[MemoryEngine, Health], Awaitable[None]], engine: MemoryEngine, health: Health
) -> None:
    """Absorb any failure: the part has recorded it by then."""
    try:
        await look(engine, health)
    except Exception as error:  # noqa: BLE001  a probe that fails has found something out
        log.warning("health.failed", look=look.__name__.strip("_"), kind=type(error).__name__)


async def _reach(engine: MemoryEngine, health: Health) -> None:
    with _timed(health.database):
        async with engine.database.transaction():
            pass


class _RollBack(Exception):
    """Ends the transaction of the probe, so that nothing of it stays."""


async def _write_and_search(engine: MemoryEngine, health: Health) -> None:
    word = f"probe{new_id().hex}"
    with suppress(_RollBack):
        async with engine.database.transaction() as tx:
            with _timed(health.write):
                saved = await save_memory(tx, NewMemory(kind=MemoryKind.PASSAGE, scope=_SCOPE, content=word))
            with _timed(health.search):
                found = [hit.memory.id for hit in await recall_by_words(tx, _probe_query(word))]
                if found != [saved]:
                    raise InvariantBroken("what was just saved is not found")
            raise _RollBack


async def _search_alone(engine: MemoryEngine, health: Health) -> None:
    """A failed write has ended its transaction; searching may work all the same."""
    if health.write.works:
        return
    with _timed(health.search):
        await engine.in_transaction(recall_by_words, _probe_query("probe"))


async def _ask_for_vectors(engine: MemoryEngine, health: Health) -> None:
    with _timed(health.embedding):
        known = await engine.health()
    if known.trouble:
        health.embedding.works, health.embedding.detail = False, "; ".join(known.trouble)


def _probe_query(word: str) -> Query:
    return Query(text=word, scopes=(_SCOPE,), kinds=frozenset({MemoryKind.PASSAGE}), limit=1)


@contextmanager
def _timed(part: Part) -> Iterator[None]:
    """The part works when the body ends well; where it does not, the part says why."""
    began = time.perf_counter()
    try:
        yield
    except Exception as error:
        part.detail = error.message if isinstance(error, FrasierError) else f"failed ({type(error).__name__})"
        raise
    part.works, part.detail = True, ""
    part.ms = round((time.perf_counter() - began) * 1000, 2)
