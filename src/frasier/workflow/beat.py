"""The beat: keeps a worker's leases from a thread and a connection of its own, so that a busy event loop cannot
let a healthy lease run out."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self
from uuid import UUID

import psycopg
import structlog

from frasier.store import Statements

log = structlog.get_logger()
_sql = Statements("frasier.workflow")


class LeaseBeat:
    """Renews the leases of the tasks it is told about, three times per lease.

    `lost` holds the tasks whose lease belongs to somebody else; their runs stop at the next write, which is
    fenced anyway.
    """

    def __init__(self, url: str, worker: str, lease_s: float) -> None:
        self._url = url
        self._worker = worker
        self._lease_s = lease_s
        self._held: set[UUID] = set()
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
            self._held.add(task_id)
            self.lost.discard(task_id)

    def drop(self, task_id: UUID) -> None:
        with self._lock:
            self._held.discard(task_id)
            self.lost.discard(task_id)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True, connect_timeout=5) as connection:
                    while not self._stop.wait(self._lease_s / 3):
                        self._renew(connection)
            except psycopg.Error as error:
                log.warning("beat.lost_connection", error=str(error))
                self._stop.wait(min(self._lease_s / 10, 1.0))

    def _renew(self, connection: psycopg.Connection[tuple[UUID]]) -> None:
        with self._lock:
            held = list(self._held)
        if not held:
            return
        cursor = connection.execute(
            _sql.by_name["renew_leases"], {"ids": held, "worker": self._worker, "lease_s": self._lease_s}
        )
        renewed = {row[0] for row in cursor.fetchall()}
        with self._lock:
            self.lost |= (set(held) - renewed) & self._held
