"""Health check of the memory: save a row, find it, and roll back, so that the row is never visible.

The state of vectors is read from the engine; recalls work without them.
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
# Clients commonly wait three seconds. A result younger than _MAX_AGE_S is returned again.
_TIMEOUT_S = 2.5
_MAX_AGE_S = 1.0


@dataclass(slots=True)
class PartHealth:
    """The state of one part: if it works, how long the check took in milliseconds, and what is wrong."""

    works: bool = False
    ms: float | None = None
    detail: str = "was not reached"

    def as_json(self) -> dict[str, Any]:
        value: dict[str, Any] = {"works": self.works}
        if self.ms is not None:
            value["ms"] = self.ms
        return value | ({"detail": self.detail} if self.detail else {})


@dataclass(slots=True, kw_only=True)
class Health:
    """The state of every part. The status `degraded` means that recalls work, but without vectors."""

    database: PartHealth = field(default_factory=PartHealth)
    write: PartHealth = field(default_factory=PartHealth)
    search: PartHealth = field(default_factory=PartHealth)
    embedding: PartHealth = field(default_factory=PartHealth)

    @property
    def status(self) -> str:
        if not (self.write.works and self.search.works):
            return "down"
        return "ok" if self.embedding.works else "degraded"

    @property
    def status_code(self) -> int:
        return 503 if self.status == "down" else 200

    def as_json(self) -> dict[str, Any]:
        """Return the status with all details, for an authenticated caller."""
        parts = {name: getattr(self, name) for name in ("database", "write", "search", "embedding")}
        reasons = [f"{name}: {part.detail}" for name, part in parts.items() if not part.works]
        value: dict[str, Any] = {"status": self.status}
        if reasons:
            value["reason"] = "; ".join(reasons)
        return value | {"parts": {name: part.as_json() for name, part in parts.items()}}


class HealthProbe:
    """A probe that checks the memory at most once a second, however many clients ask."""

    def __init__(self, engine: MemoryEngine) -> None:
        self._engine = engine
        self._lock = asyncio.Lock()
        self._latest: tuple[float, Health] | None = None

    async def check(self) -> Health:
        """Return the health of the memory, at most a second old. Take at most _TIMEOUT_S; never raise."""
        async with self._lock:
            if self._latest is None or time.monotonic() - self._latest[0] > _MAX_AGE_S:
                self._latest = (time.monotonic(), await _check_health(self._engine))
            return self._latest[1]


async def _check_health(engine: MemoryEngine) -> Health:
    health = Health()
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            for check in (_check_connection, _check_write_and_search, _check_search, _check_embedding):
                await _run_check(check, engine, health)
    except TimeoutError:
        for part in (health.database, health.write, health.search, health.embedding):
            if not part.works:
                part.detail = f"did not answer within {_TIMEOUT_S} s"
    return health


async def _run_check(
    check: Callable[[MemoryEngine, Health], Awaitable[None]], engine: MemoryEngine, health: Health
) -> None:
    """Run one check and absorb its failure, which the part has recorded by then."""
    try:
        await check(engine, health)
    except Exception as error:  # noqa: BLE001  a failure is a result of the check
        log.warning("health.failed", check=check.__name__.strip("_"), kind=type(error).__name__)


async def _check_connection(engine: MemoryEngine, health: Health) -> None:
    with _timed(health.database):
        async with engine.database.transaction():
            pass


class _Rollback(Exception):
    """Signal to end the transaction of the check without committing."""


async def _check_write_and_search(engine: MemoryEngine, health: Health) -> None:
    word = f"probe{new_id().hex}"
    with suppress(_Rollback):
        async with engine.database.transaction() as tx:
            with _timed(health.write):
                saved = await save_memory(tx, NewMemory(kind=MemoryKind.PASSAGE, scope=_SCOPE, content=word))
            with _timed(health.search):
                ids = [hit.memory.id for hit in await recall_by_words(tx, _probe_query(word))]
                if ids != [saved]:
                    raise InvariantBroken("the memory saved by this check was not found")
            raise _Rollback


async def _check_search(engine: MemoryEngine, health: Health) -> None:
    """Check the search alone after a failed write, which has ended its transaction."""
    if health.write.works:
        return
    with _timed(health.search):
        await engine.in_transaction(recall_by_words, _probe_query("probe"))


async def _check_embedding(engine: MemoryEngine, health: Health) -> None:
    with _timed(health.embedding):
        memory_health = await engine.health()
    if memory_health.trouble:
        health.embedding.works, health.embedding.detail = False, "; ".join(memory_health.trouble)


def _probe_query(word: str) -> Query:
    return Query(text=word, scopes=(_SCOPE,), kinds=frozenset({MemoryKind.PASSAGE}), limit=1)


@contextmanager
def _timed(part: PartHealth) -> Iterator[None]:
    """Record in `part` if the body succeeds, how long it takes, or why it fails."""
    started_at = time.perf_counter()
    try:
        yield
    except Exception as error:
        part.detail = error.message if isinstance(error, FrasierError) else f"failed ({type(error).__name__})"
        raise
    part.works, part.detail = True, ""
    part.ms = round((time.perf_counter() - started_at) * 1000, 2)
