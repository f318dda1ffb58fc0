"""Lease renewal from a thread and a connection of its own.

A busy event loop therefore cannot let a healthy lease expire.
"""

from __future__ import annotations

import threading
from collections import Counter
from types import TracebackType
from typing import Self
from uuid import UUID

import psycopg
from psycopg.rows import TupleRow

from frasier.kernel.logging_setup import get_logger
from frasier.store import Statements, application_name

log = get_logger()
_sql = Statements("frasier.workflow")


class LeaseHeartbeat:
    """Renews the leases of the registered tasks three times per lease.

    `lost` holds the tasks whose lease belongs to somebody else; their runs stop at the next write, which is refused
    anyway. A task is renewed until `drop` was called as often as `hold`: a worker may lose a task and claim it again
    before its first run has noticed.
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
                    fallback_application_name=application_name(),
                    # A peer that vanished must not delay the renewal beyond the time when the next one is due.
                    tcp_user_timeout=int(self._lease_s * 1_000 / 3),
                ) as connection:
                    self._beat(connection)
            except (psycopg.Error, OSError) as error:
                log.warning("beat.lost_connection", error=str(error))
                self._stop.wait(min(self._lease_s / 10, 1.0))

    def _beat(self, connection: psycopg.Connection[TupleRow]) -> None:
        """Renew at once, because a lost connection may have cost time, and then three times per lease."""
        pause_s = self._lease_s / 3
        while True:
            complete = self._renew(connection)
            if self._stop.wait(pause_s if complete else pause_s / 4):
                return

    def _renew(self, connection: psycopg.Connection[TupleRow]) -> bool:
        """Renew the held leases; return False if a row was skipped because another transaction had locked it."""
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
