"""The connections of a server: their maximum number, their timeouts, and the choice of which to close.

Thousands of clients may connect and send nothing, or a byte now and then. Each costs a file descriptor, and without a
free one the process can open neither its database nor a file. So a new connection replaces the one that has waited
longest, or else one whose response is not read. A request in progress, or a stream that its client reads, is never
closed for another.
"""

from __future__ import annotations

import asyncio
import logging
import selectors
import socket
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from itertools import takewhile
from typing import cast

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from frasier.interfaces.server_settings import ConnectionLimits
from frasier.kernel.errors import OUT_OF_RESOURCES
from frasier.kernel.logging_setup import get_logger

log = get_logger()

# Only our own errors are logged: a line for each malformed request would let clients fill the log.
_protocol_logger = logging.getLogger("uvicorn.error.connections")
_protocol_logger.setLevel(logging.ERROR)

# Connections accepted before the event loop continues with other work.
_ACCEPT_BATCH = 64
# A connection waits at least this long before another replaces it: the request arrives after the connection.
_MIN_WAIT_S = 0.02
_UNREAD_RESPONSE_S = 5.0
_LOG_INTERVAL_S = 60.0
# The application's own limit, which sends a response, expires first.
_BODY_GRACE_S = 1.0
_EXHAUSTED_PAUSE_S = 0.05
_EXHAUSTED_CLOSED = 8
_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)


class Connections:
    """The connections of one server; those of each state in the order in which they began to wait.

    A connection that has sent nothing is a bare socket in a separate selector, which is cheap: a flood of them must be
    accepted faster than it arrives, or clients with a request wait behind it. Its protocol is made when the first byte
    arrives.
    """

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self._silent_selector = selectors.DefaultSelector()
        self._starting: set[asyncio.Task[None]] = set()
        self._new: OrderedDict[socket.socket | HttpConnection, float] = OrderedDict()  # no request yet
        self._idle: OrderedDict[socket.socket | HttpConnection, float] = OrderedDict()  # answered, kept alive
        self._unfinished: dict[HttpConnection, float] = {}  # of the idle: the next header has begun
        self._busy: dict[HttpConnection, float] = {}
        self._report = _ConnectionReport(limits.count)

    def __len__(self) -> int:
        return len(self._starting) + len(self._new) + len(self._idle) + len(self._busy)

    def listen(self, listener: socket.socket, make_protocol: Callable[[], HttpConnection]) -> None:
        """Start to accept connections."""
        self._loop = asyncio.get_running_loop()
        self._listener, self._make_protocol = listener, make_protocol
        listener.setblocking(False)
        self._loop.add_reader(listener, self._accept)
        self._loop.add_reader(self._silent_selector, self._start_readable)

    async def stop(self) -> None:
        """Stop accepting, and close the connections that have sent nothing."""
        self._loop.remove_reader(self._listener)
        self._listener.close()
        for connection in [waiting for waiting in self._new if isinstance(waiting, socket.socket)]:
            self._close(connection)
        self._loop.remove_reader(self._silent_selector)
        self._silent_selector.close()
        await asyncio.gather(*self._starting)

    def note_received(self, connection: HttpConnection) -> None:
        """Note that the connection was made or has sent something."""
        now = time.monotonic()
        if connection.busy:
            self._new.pop(connection, None)
            self._idle.pop(connection, None)
            self._unfinished.pop(connection, None)
            self._busy.setdefault(connection, now)
        elif connection in self._idle:
            self._unfinished.setdefault(connection, now)
        else:
            self._new.setdefault(connection, now)

    def note_answered(self, connection: HttpConnection) -> None:
        """Note that the connection no longer carries a request."""
        if self._busy.pop(connection, None) is not None:
            self._idle[connection] = time.monotonic()

    def note_garbage(self) -> None:
        """Count a request that is not valid HTTP."""
        self._report.garbage += 1

    def forget(self, connection: socket.socket | HttpConnection) -> None:
        """Remove the connection from the count."""
        self._new.pop(connection, None)
        self._idle.pop(connection, None)
        if isinstance(connection, HttpConnection):
            self._unfinished.pop(connection, None)
            self._busy.pop(connection, None)

    def sweep(self) -> None:
        """Close the connections that have waited too long, and log what was closed for others."""
        now, limits = time.monotonic(), self._limits
        late = [
            *takewhile(lambda connection: now - self._new[connection] > limits.header_s, self._new),
            *takewhile(lambda connection: now - self._idle[connection] > limits.idle_s, self._idle),
            *(connection for connection, since in self._unfinished.items() if now - since > limits.header_s),
            *(
                connection
                for connection, since in self._busy.items()
                if connection.is_late(now, since, limits.body_s)
            ),
        ]
        for connection in late:
            self._close(connection)
        self._report.log_if_due(now)

    def _accept(self) -> None:
        for _ in range(_ACCEPT_BATCH):
            if (wait_s := self._seconds_until_eviction()) > 0:
                self._pause_accepting(wait_s)
                return
            try:
                connection, _ = self._listener.accept()
            except (BlockingIOError, InterruptedError):
                return
            except ConnectionAbortedError:
                continue
            except OSError as error:
                if error.errno not in OUT_OF_RESOURCES:
                    raise
                self._free_descriptors()
                return
            if len(self) < self._limits.count or self._evict():
                connection.setblocking(False)
                self._new[connection] = time.monotonic()
                self._silent_selector.register(connection, selectors.EVENT_READ)
            else:
                self._refuse(connection)

    def _seconds_until_eviction(self) -> float:
        """Return the seconds until a connection may be replaced; until then the kernel queues new ones."""
        if len(self) < self._limits.count or (waiting := self._longest_waiting()) is None:
            return 0.0
        since = self._new.get(waiting) or self._idle[waiting]
        return since + _MIN_WAIT_S - time.monotonic()

    def _pause_accepting(self, seconds: float) -> None:
        self._loop.remove_reader(self._listener)
        self._loop.call_later(seconds, self._resume_accepting)

    def _resume_accepting(self) -> None:
        if self._listener.fileno() >= 0:
            self._loop.add_reader(self._listener, self._accept)

    def _free_descriptors(self) -> None:
        """Close some connections when no descriptor is left: the rest of the process needs them, too."""
        self._report.exhausted += 1
        for _ in range(_EXHAUSTED_CLOSED):
            self._evict()
        self._pause_accepting(_EXHAUSTED_PAUSE_S)

    def _longest_waiting(self) -> socket.socket | HttpConnection | None:
        """Return the next connection to close; None if all carry requests.

        It is one of the larger group: however many send nothing, kept-alive clients keep half of the places.
        """
        larger = self._idle if len(self._idle) > len(self._new) else self._new
        return next(iter(larger), None)

    def _evict(self) -> bool:
        """Close the connection that has waited longest. Return False if all carry requests that make progress."""
        while (connection := self._longest_waiting()) is not None:
            if isinstance(connection, socket.socket) and self._start(connection):
                continue  # its request has just arrived
            self._close(connection)
            self._report.closed += 1
            return True
        return self._evict_unread()

    def _evict_unread(self) -> bool:
        """Close the connection whose response has been unread longest. Return False if all are read."""
        unread = [connection for connection in self._busy if connection.flow.write_paused]
        longest = min(unread, key=lambda connection: connection.paused_at, default=None)
        if longest is None or time.monotonic() - longest.paused_at < min(
            _UNREAD_RESPONSE_S, self._limits.body_s
        ):
            return False
        self._close(longest)
        self._report.unread += 1
        return True

    def _refuse(self, connection: socket.socket) -> None:
        self._report.refused += 1
        with connection, suppress(OSError):
            connection.send(_REFUSAL, socket.MSG_DONTWAIT)

    def _start_readable(self) -> None:
        for key, _ in self._silent_selector.select(0)[:_ACCEPT_BATCH]:
            self._start(cast("socket.socket", key.fileobj))

    def _start(self, connection: socket.socket) -> bool:
        """Make the protocol of a connection that has sent something. Return False if it has not."""
        try:
            sent = bool(connection.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return False
        except OSError:
            sent = False
        self._silent_selector.unregister(connection)
        del self._new[connection]
        if sent:
            starting = self._loop.create_task(self._serve(connection))
            self._starting.add(starting)
            starting.add_done_callback(self._starting.discard)
        else:  # the client closed it
            connection.close()
        return True

    async def _serve(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._make_protocol, connection)
        except OSError:  # it was reset in the meantime
            connection.close()

    def _close(self, connection: socket.socket | HttpConnection) -> None:
        self.forget(connection)
        if isinstance(connection, HttpConnection):
            connection.transport.abort()
        else:
            self._silent_selector.unregister(connection)
            connection.close()


class HttpConnection(H11Protocol):
    """uvicorn's HTTP protocol, which reports its state to Connections."""

    def __init__(self, connections: Connections, config: uvicorn.Config, server: uvicorn.Server) -> None:
        super().__init__(config, server.server_state, server.lifespan.state)
        self.logger = _protocol_logger
        self._registry = connections
        self._unsent = (0, 0.0)
        self.paused_at = 0.0

    @property
    def busy(self) -> bool:
        """True while a request is processed or its response is sent."""
        return self.flow.write_paused or (self.cycle is not None and not self.cycle.response_complete)

    def is_late(self, now: float, since: float, body_s: float) -> bool:
        """Return True if the client of a busy connection neither finishes its request nor reads the response."""
        if self.flow.write_paused:
            unsent = self.transport.get_write_buffer_size()
            if unsent != self._unsent[0]:
                self._unsent = (unsent, now)
            return now - self._unsent[1] > body_s
        return self.cycle is not None and self.cycle.more_body and now - since > body_s + _BODY_GRACE_S

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # resume_writing then means that everything is sent
        self._registry.note_received(self)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._registry.forget(self)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._registry.note_received(self)

    def send_400_response(self, msg: str) -> None:
        self._registry.note_garbage()
        super().send_400_response(msg)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.paused_at = time.monotonic()

    def on_response_complete(self) -> None:
        if not self.flow.write_paused:
            self._registry.note_answered(self)
        super().on_response_complete()  # starts the next pipelined request, if any
        if self.busy:
            self._registry.note_received(self)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unsent = (0, 0.0)
        if not self.busy:
            self._registry.note_answered(self)


class _ConnectionReport:
    """Counts of closed and refused connections and of malformed requests, logged at most once a minute."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._logged_at = -_LOG_INTERVAL_S
        self._reset()

    def _reset(self) -> None:
        self.closed = self.unread = self.refused = self.exhausted = self.garbage = 0

    def log_if_due(self, now: float) -> None:
        full = self.closed or self.unread or self.refused or self.exhausted
        if not (full or self.garbage) or now - self._logged_at < _LOG_INTERVAL_S:
            return
        self._logged_at = now
        if self.garbage:
            log.warning("http.garbage", requests=self.garbage)
        if full:
            self._log_full()
        self._reset()

    def _log_full(self) -> None:
        if self.exhausted:
            hint = "Allow the process more open files (ulimit -n), or set FRASIER_SERVER__CONNECTIONS lower."
        else:
            hint = "Close connections that are not used, or set FRASIER_SERVER__CONNECTIONS higher."
        log.error(
            "http.connections_full",
            limit=self._count,
            idle_closed=self.closed,
            unread_closed=self.unread,
            refused=self.refused,
            out_of_files=self.exhausted,
            hint=hint,
        )
