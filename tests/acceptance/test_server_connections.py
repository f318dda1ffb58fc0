"""More connections than a server may have: those that wait are closed, and whoever asks is answered."""

from __future__ import annotations

import asyncio
import http.client
import json
import resource
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx2
import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol

from frasier.memory import issue_token
from frasier.store import Database
from support.cli import DEADLINE_S, FrasierProgram
from support.idle_clients import idle_clients
from support.machine_speed import in_time
from support.served import Address, Served, serving_inside

HTTP = ("serve", "--port", "0")
MCP = ("mcp", "--http", "--port", "0")
SERVERS = [HTTP, MCP, ("memory", *HTTP), ("memory", *MCP)]
ASKED = {"http": ("GET", "/api/v1/health", 200), "mcp": ("POST", "/mcp", 401)}


@contextmanager
def serving(frasier: FrasierProgram, command: tuple[str, ...], *, files: int = 1_024) -> Iterator[Served]:
    """A server as a process that may open so many files."""
    with frasier.running(*command) as process:
        # Before it has come so far as to look.
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (files, files))
        yield Served(process)


def ask(server: Address) -> float:
    """Milliseconds until a client that connects anew has its answer."""
    method, path, expected = ASKED["mcp" if server.base.endswith("/mcp") else "http"]
    began = time.perf_counter()
    client = http.client.HTTPConnection(server.host, server.port, timeout=5)
    client.request(method, path, headers={"Connection": "close"})
    answered = client.getresponse()
    answered.read()
    client.close()
    assert answered.status == expected
    return (time.perf_counter() - began) * 1_000


def ask_anew(server: Address) -> float:
    """As `ask`; again, within the same time, where the test got no turn to send before it was closed for others."""
    began = time.perf_counter()
    while time.perf_counter() - began < DEADLINE_S:
        with suppress(ConnectionResetError, BrokenPipeError):
            ask(server)
            return (time.perf_counter() - began) * 1_000
    raise AssertionError("every connection was closed")


def ask_while_opening(server: Address, clients: list[subprocess.Popen[str]], *, least: int) -> list[float]:
    """What new clients wait while others open their connections, and for a moment after that."""
    waits: list[float] = []
    while len(waits) < least:
        waits.append(ask_anew(server))
        time.sleep(0.002)
    for client in clients:
        assert client.stdout is not None
        assert "opening" in client.stdout.readline()
        assert "opened" in client.stdout.readline()
    waits.sort()
    print(f"p50 {waits[least // 2]:.1f} ms, p99 {waits[least * 99 // 100]:.1f} ms, most {waits[-1]:.1f} ms")
    return waits


def logged(said: str) -> list[str]:
    """The events of a log."""
    return [json.loads(line)["event"] for line in said.splitlines() if line.startswith("{")]


def test_new_clients_are_answered_while_others_hold_more_connections_than_there_are_files(
    frasier: FrasierProgram,
) -> None:
    with serving(frasier, HTTP, files=256) as served:
        ask(served)
        with idle_clients(served.host, served.port, 600, processes=3) as clients:
            waits = ask_while_opening(served, clients, least=100)
            ask_anew(served)
        _, said = served.end()
    assert in_time(waits[90], 100)
    assert logged(said) == ["http.connections_full"]


@pytest.mark.slow
@pytest.mark.parametrize("command", SERVERS, ids=" ".join)
def test_new_clients_are_answered_within_100_ms_while_5000_connections_are_opened(
    home: Path, command: tuple[str, ...]
) -> None:
    frasier = FrasierProgram(home, None)  # with its own database, which it looks after
    with serving(frasier, command) as served:
        ask(served)
        with idle_clients(served.host, served.port, 5_000, processes=5) as clients:
            waits = ask_while_opening(served, clients, least=500)
        ask(served)
        _, said = served.end()
    assert in_time(waits[495], 100)
    assert logged(said) == ["http.connections_full"]


def test_a_server_without_file_descriptors_says_so_and_goes_on_when_there_are_some(home: Path) -> None:
    frasier = FrasierProgram(home, None)  # with its own database, which it looks after
    with serving(frasier, HTTP) as served:
        ask(served)
        leave_no_files(served)
        ask(served)
        _, said = served.end()
    assert logged(said) == []


def leave_no_files(served: Served) -> None:
    """Leaves the process without a descriptor, until those parts of it that need one have said so."""
    assert served.process.stderr is not None
    resource.prlimit(served.process.pid, resource.RLIMIT_NOFILE, (3, 1_024))
    with served.connect():  # which cannot be accepted
        said = ""
        while len(logged(said)) < 2:  # the address of the page is told between
            said += served.process.stderr.readline()
    resource.prlimit(served.process.pid, resource.RLIMIT_NOFILE, (1_024, 1_024))
    assert sorted(logged(said)) == ["database.check_failed", "http.connections_full"], said
    assert "ulimit -n" in said
    assert "User id" not in said


@pytest.mark.parametrize("protocol", ["http", "mcp"])
def test_connections_that_wait_too_long_are_closed(database_url: str, protocol: str) -> None:
    method, path, _ = ASKED[protocol]
    whole = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n".encode()
    endless = b"GET / HTTP/1.1\r\nX-Filler: " + b"a" * 10_000
    unread = whole.replace(b"Length: 0", b"Length: 100000")
    with serving_inside(database_url, protocol, header_s=0.2, idle_s=0.2) as server:
        waited = {
            "nothing is sent": closed_after(server),
            "the header never ends": closed_after(server, then=endless),
            "nothing is sent after an answer": closed_after(server, first=whole),
            "the next header never ends": closed_after(server, first=whole, then=endless),
            "the body of what was answered never ends": closed_after(server, first=unread, then=endless),
        }
    assert all(0.15 < seconds < 5 for seconds in waited.values()), waited


def closed_after(server: Address, *, first: bytes = b"", then: bytes = b"") -> float:
    """Seconds until the server closes a connection on which a byte of `then` is sent now and then."""
    began = (
        time.monotonic()
    )  # the server counts from the connection, or from its answer, which follows the request
    with server.connect() as connection, suppress(ConnectionError):  # it may be reset
        if first:
            began = time.monotonic()
            connection.sendall(first)
            assert connection.recv(65_536).startswith(b"HTTP/1.1 ")
        connection.settimeout(0.02 if then else DEADLINE_S)
        try:
            for position in range(10_000):
                if then:
                    connection.sendall(then[position : position + 1])
                with suppress(TimeoutError):
                    while connection.recv(65_536):
                        pass
                    break
        except ConnectionError:  # it was reset
            pass
        return time.monotonic() - began


@pytest.fixture
async def token(db: Database) -> str:
    """Of somebody who may read and save."""
    async with db.transaction() as tx:
        return await issue_token(tx, "ada", ["shared"])


def begin_request(server: Address, token: str, length: int) -> socket.socket:
    """A request whose body the server waits for."""
    path = "/mcp" if server.base.endswith("/mcp") else "/api/v1/contribute"
    connection = server.connect()
    connection.sendall(
        f"POST {path} HTTP/1.1\r\nHost: {server.host}:{server.port}\r\nAuthorization: Bearer {token}\r\n"
        "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
        f"Content-Length: {length}\r\nExpect: 100-continue\r\n\r\n".encode()
    )
    assert b"100 Continue" in connection.recv(1_000)
    return connection


@pytest.mark.parametrize("protocol", ["http", "mcp"])
def test_a_body_that_never_comes_is_not_waited_for(
    database_url: str, token: str, protocol: str, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        serving_inside(database_url, protocol, body_s=0.2) as server,
        begin_request(server, token, 100) as slow,
    ):
        slow.sendall(b"{")
        answer = b"".join(iter(lambda: slow.recv(65_536), b""))  # until it is closed
        assert answer.startswith(b"HTTP/1.1 408")
        assert b"The body did not arrive in time." in answer
    assert [record.message for record in caplog.records if record.exc_info] == []


@pytest.mark.parametrize("protocol", ["http", "mcp"])
def test_a_request_in_progress_is_never_closed_for_a_newcomer(
    database_url: str, token: str, protocol: str
) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"} if protocol == "mcp" else {"content": "Tea."}
    body = json.dumps(call).encode()
    with serving_inside(database_url, protocol, connections=8) as server:
        requests = [begin_request(server, token, len(body)) for _ in range(7)]
        idle = [server.connect() for _ in range(20)]
        ask(server)  # in the one place that is left
        requests.append(begin_request(server, token, len(body)))
        with server.connect() as refused:
            assert refused.recv(1_000).startswith(b"HTTP/1.1 503")
        for request in requests:
            request.sendall(body)
            assert request.recv(65_536).startswith(b"HTTP/1.1 20")
        ask(server)
        for connection in [*requests, *idle]:
            connection.close()


def test_clients_that_read_no_answer_are_closed_for_newcomers(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frasier.interfaces.connection_limits._UNREAD_RESPONSE_S", 0.1)
    requests = b"GET /api/v1/nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 800
    with serving_inside(database_url, "http", connections=8) as server, ExitStack() as unread:
        for _ in range(8):
            unread.enter_context(ask_and_never_read(server, requests))
        deadline = time.monotonic() + DEADLINE_S
        while refused(server):  # as long as it still answers what they asked
            assert time.monotonic() < deadline
            time.sleep(0.02)


def refused(server: Address) -> bool:
    """Whether there is no room for who comes now."""
    with server.connect() as connection:
        connection.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        return connection.recv(1_000).startswith(b"HTTP/1.1 503")


def ask_and_never_read(server: Address, requests: bytes) -> socket.socket:
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
    connection.connect((server.host, server.port))
    connection.settimeout(0.05)
    with suppress(TimeoutError):
        connection.sendall(requests)
    return connection


def test_garbage_is_counted_in_one_line(frasier: FrasierProgram) -> None:
    with serving(frasier, HTTP) as served:
        for _ in range(5):
            with served.connect() as connection:
                connection.sendall(b"\x16\x03\x01" + bytes(range(200)))
                assert connection.recv(1_000).startswith(b"HTTP/1.1 400")
        _, said = served.end()
    assert "Invalid HTTP request" not in said
    assert set(logged(said)) <= {"http.garbage"}


def test_clients_that_were_answered_keep_their_connections_beside_many_that_ask_nothing(
    database_url: str,
) -> None:
    with serving_inside(database_url, "http", connections=8) as server:
        clients = [http.client.HTTPConnection(server.host, server.port, timeout=5) for _ in range(4)]
        for client in clients:
            answer_on(client)
        kept = [client.sock for client in clients]
        idle = [server.connect() for _ in range(30)]
        ask(server)
        for client in clients:
            answer_on(client)
        assert [client.sock for client in clients] == kept
        for connection in [*clients, *idle]:
            connection.close()


def answer_on(client: http.client.HTTPConnection) -> None:
    client.request("GET", "/api/v1/health")
    answered = client.getresponse()
    answered.read()
    assert answered.status == 200


@pytest.mark.parametrize("protocol", ["http", "mcp"])
def test_answers_on_a_kept_connection_do_not_wait_for_acknowledgements(
    database_url: str, token: str, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sockets: list[socket.socket] = []
    made = H11Protocol.connection_made

    def seen(connection: H11Protocol, transport: asyncio.Transport) -> None:
        sockets.append(transport.get_extra_info("socket"))
        made(connection, transport)

    monkeypatch.setattr(H11Protocol, "connection_made", seen)
    with serving_inside(database_url, protocol) as server, server.client(token) as client:
        waits = sorted(kept_alive_request(client, protocol) for _ in range(21))
        assert [one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in sockets] == [1]
    # With delayed acknowledgements every answer but the first takes 40 ms; a busy machine delays many.
    assert waits[1] <= 20, waits


def kept_alive_request(client: httpx2.Client, protocol: str) -> float:
    """Milliseconds that one takes."""
    began = time.perf_counter()
    if protocol == "mcp":
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        headers = {"Accept": "application/json, text/event-stream"}
        answered = client.post(client.base_url.copy_with(path="/mcp"), json=call, headers=headers)
    else:
        answered = client.get("health")
    assert answered.status_code == 200, answered.text
    return (time.perf_counter() - began) * 1_000


def test_a_tool_call_with_an_idempotency_key_is_refused_over_mcp(database_url: str, token: str) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"Accept": "application/json, text/event-stream", "Idempotency-Key": "1"}
    with serving_inside(database_url, "mcp") as server, server.client(token) as client:
        refused = client.post(client.base_url.copy_with(path="/mcp"), json=call, headers=headers)
    assert refused.status_code == 400
    assert "Idempotency-Key" in refused.json()["error"]["message"]
