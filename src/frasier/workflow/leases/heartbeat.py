"""The beat: keeps a worker's leases, from a thread and a connection of its own.

So a busy event loop cannot let a healthy lease run out.
"""

from __future__ import annotations

import threading
from collections import Counter
from types import TracebackType
from typing import Self
from uuid import UUID

import psycopg
import structlog
from psycopg.rows import TupleRow

from frasier.store import Statements

log = structlog.get_logger()
_sql = Statements("frasier.workflow")


class LeaseBeat:
    """Renews the leases of the tasks it is told about, three times per lease.

    `lost` holds the tasks whose lease belongs to somebody else; their runs stop at the next write, which is
    fenced anyway. A task is renewed until it was dropped as often as it was held: a worker may lose a task and
    claim it again before its first run has noticed.
    """

    def __init__(self, url: str, worker: str, lease_s: float) -> None:
        self._url = url
        self._worker = worker
        self._lease_s = lease_s
        self._held: Counter[UUID] = Counter()
        self.lost: set[UUID] = set()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lease-beat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _value: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(timeout=5)

    def hold(self, task_id: UUID) -> None:
        with self._lock:
            self._held[task_id] += 1
            self.lost.discard(task_id)

    def drop(self, task_id: UUID) -> None:
        with self._lock:
            self._held[task_id] -= 1
            if self._held[task_id] <= 0:
                del self._held[task_id]
                self.lost.discard(task_id)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with psycopg.connect(
                    self._url,
                    autocommit=True,
                    connect_timeout=5,
                    # A peer that went silently must not hold the beat longer than the next one is due.
                    tcp_user_timeout=int(self._lease_s * 1_000 / 3),
                ) as connection:
                    self._beat(connection)
            except (psycopg.Error, OSError) as error:
                log.warning("beat.lost_connection", error=str(error))
                self._stop.wait(min(self._lease_s / 10, 1.0))

    def _beat(self, connection: psycopg.Connection[TupleRow]) -> None:
        """Renews at once, because a lost connection may have cost time, and then three times per lease."""
        pause_s = self._lease_s / 3
        while True:
            complete = self._renew(connection)
            if self._stop.wait(pause_s if complete else pause_s / 4):
                return

    def _renew(self, connection: psycopg.Connection[TupleRow]) -> bool:
        """Renews what is held; False where a row could not be had because somebody is writing it."""
        with self._lock:
            held = list(self._held)
        if not held:
            return True
        rows = connection.execute(
            _sql.by_name["renew_leases"], {"ids": held, "worker": self._worker, "lease_s": self._lease_s}
        ).fetchall()
        with self._lock:
            self.lost |= (set(held) - {task_id for task_id, _ in rows}) & self._held.keys()
        return all(renewed for _, renewed in rows)
