"""The connections of a server: how many there may be, and which is closed when there are more or it waits too long.

Trigger  thousands of clients connect and send nothing, or a byte now and then.
Why      each costs a file descriptor, and without one the process can open neither its database nor a file.
Outcome  those that have waited longest are closed for newcomers; then those whose answer nobody reads. A request in
         progress, or a stream that is read, never is.
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

# What a client sends is no reason for a line each: only errors of ours are told.
_protocol_log = logging.getLogger("uvicorn.error.connections")
_protocol_log.setLevel(logging.ERROR)

# So many are accepted before what others asked for goes on.
_ACCEPT_MAX = 64
# Nobody is closed for a newcomer sooner: a client's request comes only after its connection.
_UNTOUCHED_S = 0.02
_UNREAD_S = 5.0
_LOG_EVERY_S = 60.0
# The application's own limit, which has an answer, comes first.
_BODY_GRACE_S = 1.0
_EXHAUSTED_PAUSE_S = 0.05
_EXHAUSTED_CLOSED = 8
_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)


class Connections:
    """The connections of one server, each kind in the order in which it began to wait.

    One that has sent nothing is a bare socket, watched apart from the loop, which is cheap: a flood of them must be
    accepted faster than it comes, or somebody with a request waits behind it. The protocol is made when the first byte
    is there.
    """

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self._silent = selectors.DefaultSelector()
        self._starting: set[asyncio.Task[None]] = set()
        self._new: OrderedDict[socket.socket | HttpConnection, float] = OrderedDict()  # no request yet
        self._idle: OrderedDict[socket.socket | HttpConnection, float] = OrderedDict()  # answered, kept alive
        self._unfinished: dict[HttpConnection, float] = {}  # of the idle: the next header has begun
        self._busy: dict[HttpConnection, float] = {}
        self._report = _Report(limits.count)

    def __len__(self) -> int:
        return len(self._starting) + len(self._new) + len(self._idle) + len(self._busy)

    def listen(self, listening: socket.socket, make_protocol: Callable[[], HttpConnection]) -> None:
        """Accept connections from now on."""
        self._loop = asyncio.get_running_loop()
        self._listening, self._make_protocol = listening, make_protocol
        listening.setblocking(False)
        self._loop.add_reader(listening, self._accept)
        self._loop.add_reader(self._silent, self._start_those_that_sent)

    async def stop(self) -> None:
        """Accept nothing more, and close what has sent nothing."""
        self._loop.remove_reader(self._listening)
        self._listening.close()
        for connection in [one for one in self._new if isinstance(one, socket.socket)]:
            self._close(connection)
        self._loop.remove_reader(self._silent)
        self._silent.close()
        await asyncio.gather(*self._starting)

    def received(self, connection: HttpConnection) -> None:
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

    def answered(self, connection: HttpConnection) -> None:
        """Note that the connection carries no request any more."""
        if self._busy.pop(connection, None) is not None:
            self._idle[connection] = time.monotonic()

    def is_garbage(self) -> None:
        """Note that what was sent is no HTTP."""
        self._report.garbage += 1

    def forget(self, connection: socket.socket | HttpConnection) -> None:
        """Count the connection no longer."""
        self._new.pop(connection, None)
        self._idle.pop(connection, None)
        if isinstance(connection, HttpConnection):
            self._unfinished.pop(connection, None)
            self._busy.pop(connection, None)

    def sweep(self) -> None:
        """Close what has waited too long, and say what was closed for newcomers."""
        now, limits = time.monotonic(), self._limits
        late = [
            *takewhile(lambda one: now - self._new[one] > limits.header_s, self._new),
            *takewhile(lambda one: now - self._idle[one] > limits.idle_s, self._idle),
            *(one for one, since in self._unfinished.items() if now - since > limits.header_s),
            *(one for one, since in self._busy.items() if one.is_late(now, since, limits.body_s)),
        ]
        for connection in late:
            self._close(connection)
        self._report.tell(now)

    def _accept(self) -> None:
        for _ in range(_ACCEPT_MAX):
            if (wait_s := self._wait_for_room()) > 0:
                self._pause_accepting(wait_s)
                return
            try:
                connection, _ = self._listening.accept()
            except (BlockingIOError, InterruptedError):
                return
            except ConnectionAbortedError:
                continue
            except OSError as error:
                if error.errno not in OUT_OF_RESOURCES:
                    raise
                self._make_room_for_files()
                return
            if len(self) < self._limits.count or self._evict():
                connection.setblocking(False)
                self._new[connection] = time.monotonic()
                self._silent.register(connection, selectors.EVENT_READ)
            else:
                self._refuse(connection)

    def _wait_for_room(self) -> float:
        """Seconds until somebody has waited long enough to be closed; meanwhile the kernel keeps who comes."""
        if len(self) < self._limits.count or (waiting := self._longest_waiting()) is None:
            return 0.0
        since = self._new.get(waiting) or self._idle[waiting]
        return since + _UNTOUCHED_S - time.monotonic()

    def _pause_accepting(self, seconds: float) -> None:
        self._loop.remove_reader(self._listening)
        self._loop.call_later(seconds, self._accept_again)

    def _accept_again(self) -> None:
        if self._listening.fileno() >= 0:
            self._loop.add_reader(self._listening, self._accept)

    def _make_room_for_files(self) -> None:
        """Close some connections when no descriptor is left, for the rest of the process, too."""
        self._report.exhausted += 1
        for _ in range(_EXHAUSTED_CLOSED):
            self._evict()
        self._pause_accepting(_EXHAUSTED_PAUSE_S)

    def _longest_waiting(self) -> socket.socket | HttpConnection | None:
        """The next to be closed; None where all carry requests.

        It is one of the larger crowd: however many send nothing, clients that were answered keep half of the places.
        """
        crowd = self._idle if len(self._idle) > len(self._new) else self._new
        return next(iter(crowd), None)

    def _evict(self) -> bool:
        """Close the connection that has waited longest; False where all carry requests."""
        while (connection := self._longest_waiting()) is not None:
            if isinstance(connection, socket.socket) and self._start(connection):
                continue  # its request came just now
            self._close(connection)
            self._report.closed += 1
            return True
        return self._evict_who_does_not_read()

    def _evict_who_does_not_read(self) -> bool:
        """Close the connection whose client has left an answer unread longest; False where all read theirs."""
        unread = [one for one in self._busy if one.flow.write_paused]
        longest = min(unread, key=lambda one: one.paused_at, default=None)
        if longest is None or time.monotonic() - longest.paused_at < min(_UNREAD_S, self._limits.body_s):
            return False
        self._close(longest)
        self._report.unread += 1
        return True

    def _refuse(self, connection: socket.socket) -> None:
        self._report.refused += 1
        with connection, suppress(OSError):
            connection.send(_REFUSAL, socket.MSG_DONTWAIT)

    def _start_those_that_sent(self) -> None:
        for key, _ in self._silent.select(0)[:_ACCEPT_MAX]:
            self._start(cast("socket.socket", key.fileobj))

    def _start(self, connection: socket.socket) -> bool:
        """Make the protocol of a connection that has sent something; False where it has not."""
        try:
            sent = bool(connection.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return False
        except OSError:
            sent = False
        self._silent.unregister(connection)
        del self._new[connection]
        if sent:
            starting = self._loop.create_task(self._serve(connection))
            self._starting.add(starting)
            starting.add_done_callback(self._starting.discard)
        else:  # it ended
            connection.close()
        return True

    async def _serve(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._make_protocol, connection)
        except OSError:  # it was reset meanwhile
            connection.close()

    def _close(self, connection: socket.socket | HttpConnection) -> None:
        self.forget(connection)
        if isinstance(connection, HttpConnection):
            connection.transport.abort()
        else:
            self._silent.unregister(connection)
            connection.close()


class HttpConnection(H11Protocol):
    """uvicorn's protocol, which also tells `connections` what it carries."""

    def __init__(self, connections: Connections, config: uvicorn.Config, server: uvicorn.Server) -> None:
        super().__init__(config, server.server_state, server.lifespan.state)
        self.logger = _protocol_log
        self._registry = connections
        self._unsent = (0, 0.0)
        self.paused_at = 0.0

    @property
    def busy(self) -> bool:
        """Whether a request is being answered, or its answer sent."""
        return self.flow.write_paused or (self.cycle is not None and not self.cycle.response_complete)

    def is_late(self, now: float, since: float, body_s: float) -> bool:
        """Whether the client neither sends the rest of its request nor reads the answer. Asked while it is busy."""
        if self.flow.write_paused:
            unsent = self.transport.get_write_buffer_size()
            if unsent != self._unsent[0]:
                self._unsent = (unsent, now)
            return now - self._unsent[1] > body_s
        return self.cycle is not None and self.cycle.more_body and now - since > body_s + _BODY_GRACE_S

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # so that it is known when everything is sent
        self._registry.received(self)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._registry.forget(self)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._registry.received(self)

    def send_400_response(self, msg: str) -> None:
        self._registry.is_garbage()
        super().send_400_response(msg)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.paused_at = time.monotonic()

    def on_response_complete(self) -> None:
        if not self.flow.write_paused:
            self._registry.answered(self)
        super().on_response_complete()  # begins the next request, where that is there
        if self.busy:
            self._registry.received(self)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unsent = (0, 0.0)
        if not self.busy:
            self._registry.answered(self)


class _Report:
    """A line a minute about what was done for want of room, and one about what was no HTTP."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._told_at = -_LOG_EVERY_S
        self._begin_anew()

    def _begin_anew(self) -> None:
        self.closed = self.unread = self.refused = self.exhausted = self.garbage = 0

    def tell(self, now: float) -> None:
        full = self.closed or self.unread or self.refused or self.exhausted
        if not (full or self.garbage) or now - self._told_at < _LOG_EVERY_S:
            return
        self._told_at = now
        if self.garbage:
            log.warning("http.garbage", requests=self.garbage)
        if full:
            self._tell_full()
        self._begin_anew()

    def _tell_full(self) -> None:
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
