"""What every client of an outside service has to bear, from a real server on loopback: one suite, run against each."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import socket
import traceback
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from pydantic import SecretStr

from frasier.board.external_memory.http_client import HttpExternalMemory
from frasier.board.external_memory.protocol import Contribution
from frasier.board.external_memory.settings import ExternalMemorySettings
from frasier.interfaces.publish import TelemetryExporter
from frasier.interfaces.telemetry_settings import TelemetrySettings
from frasier.kernel.errors import (
    BadReply,
    ConfigurationError,
    FrasierError,
    InvariantBroken,
    ProviderRateLimited,
    ProviderRejected,
    ProviderTimeout,
    ProviderUnavailable,
    SourceError,
)
from frasier.kernel.ids import new_id
from frasier.kernel.transaction_guard import transaction_open
from frasier.llm import ClassifyInputs, Message, ProviderCall, Purpose
from frasier.llm.providers.openai_compatible import OpenAICompatible
from frasier.memory.embedding.endpoint import Endpoint
from frasier.memory.embedding.http_encoder import RemoteEncoder
from frasier.memory.embedding.types import TextRefused
from frasier.memory.rerankers.http_reranker import RerankEndpoint
from frasier.org.skills.third_party.package import PackageFile, parse_package
from frasier.org.skills.third_party.scanner_service import ScannerService
from frasier.outbound import KeyRefused
from frasier.outbound.http_client import HttpClient
from frasier.work.research.web import Fetcher, UrlLedger, WebSettings, search_provider
from support.web_server import Reply, WebServer, drip, redirect

KEY = "frasier_sk-Zm9vYmFyYmF6cXV4MDEyMzQ1Njc4OQ"
BYTES_MAX = 100_000

Ask = Callable[[], Awaitable[Any]]


@dataclass(frozen=True, kw_only=True)
class Client:
    """One client: `open` gives a call that sends one request to the server at an address, within some seconds.

    `well` is a reply that it takes. `only` is the one error that it raises, whatever happens; `kinds` are the errors
    that have a narrower or another meaning for it.
    """

    open: Callable[[str, float], AbstractAsyncContextManager[Ask]]
    path: str
    well: str
    content_type: str = "application/json"
    has_key: bool = True
    only: type[FrasierError] | None = None
    kinds: dict[Any, type[FrasierError]] = field(default_factory=dict)

    def kind(self, usual: type[FrasierError], about: Any = None) -> type[FrasierError]:
        return self.only or self.kinds.get(about, usual)


@asynccontextmanager
async def model(url: str, seconds: float) -> AsyncIterator[Ask]:
    provider = OpenAICompatible(base_url=f"{url}/v1", api_key=SecretStr(KEY), structured="prompt")
    call = ProviderCall(
        model="m1",
        messages=(Message(role="user", content="Hello"),),
        purpose=Purpose.CLASSIFY,
        inputs=ClassifyInputs(message="Hello"),
        json_schema=None,
        schema_name="",
        max_output_tokens=64,
        temperature=0.2,
        timeout_s=seconds,
    )
    yield lambda: provider.complete(call)
    await provider.close()


def embedding(api: Any) -> Callable[[str, float], AbstractAsyncContextManager[Ask]]:
    @asynccontextmanager
    async def opened(url: str, seconds: float) -> AsyncIterator[Ask]:
        endpoint = Endpoint(
            api,
            provider=url.removeprefix("http://"),
            base_url=f"{url}/v1",
            model="m1",
            api_key=SecretStr(KEY),
            dimension=2,
        )
        encoder = RemoteEncoder(endpoint, dimension=2)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("frasier.memory.embedding.endpoint.TIMEOUT_S", seconds)
            yield lambda: encoder.encode_query("q")
        await encoder.close()

    return opened


@asynccontextmanager
async def reranker(url: str, seconds: float) -> AsyncIterator[Ask]:
    endpoint = RerankEndpoint(f"{url}/rerank", model="m1", api_key=SecretStr(KEY), timeout_s=seconds)
    yield lambda: endpoint.judge("q", ["a", "b"])
    await endpoint.close()


def external_memory(dialect: Any, asked: str) -> Callable[[str, float], AbstractAsyncContextManager[Ask]]:
    marker = Contribution(text="text", agent_id="a", agent_name="A", context="c", idempotency_key="move-7")

    @asynccontextmanager
    async def opened(url: str, seconds: float) -> AsyncIterator[Ask]:
        settings = ExternalMemorySettings(url=url, token=SecretStr(KEY), dialect=dialect)
        limits = {"health_timeout_s": seconds, "contribute_timeout_s": seconds}
        brain = HttpExternalMemory(settings.model_copy(update=limits))
        yield brain.check if asked == "health" else lambda: brain.contribute(marker)

    return opened


@asynccontextmanager
async def scanner_service(url: str, seconds: float) -> AsyncIterator[Ask]:
    service = ScannerService(f"{url}/scan", api_key=SecretStr(KEY), timeout_s=seconds)
    files = [PackageFile(path="SKILL.md", content=b"---\nname: teas\ndescription: Teas.\n---\n")]
    yield lambda: service.scan(parse_package(files))
    await service.close()


def search(engine: Any) -> Callable[[str, float], AbstractAsyncContextManager[Ask]]:
    @asynccontextmanager
    async def opened(url: str, seconds: float) -> AsyncIterator[Ask]:
        settings = WebSettings(
            search=engine,
            search_key=SecretStr(KEY),
            search_url=f"{url}/search" if engine == "brave" else url,
            timeout_s=seconds,
        )
        provider = search_provider(settings)
        assert provider is not None
        yield lambda: provider.search("rivers", 3)
        await provider.aclose()

    return opened


@asynccontextmanager
async def fetcher(url: str, seconds: float) -> AsyncIterator[Ask]:
    slept: list[float] = []

    async def sleep(wait_s: float) -> None:
        slept.append(wait_s)

    settings = WebSettings(
        allow_private_hosts=frozenset({url.removeprefix("http://")}),
        respect_robots=False,
        min_delay_s_per_host=0.0,
        timeout_s=seconds,
        max_page_bytes=BYTES_MAX,
    )
    ledger = UrlLedger()
    ledger.allow([f"{url}/page"], "the directive")
    async with Fetcher(settings, sleep=sleep) as pages:

        async def ask() -> Any:
            try:
                return await pages.fetch(f"{url}/page", ledger)
            except SourceError as error:
                error.retry_after_s = slept[0] if slept else None  # a page is asked for again at once
                raise

        yield ask


@asynccontextmanager
async def collector(url: str, seconds: float) -> AsyncIterator[Ask]:
    settings = TelemetrySettings(otlp_endpoint=url, otlp_token=SecretStr(KEY), otlp_timeout_s=seconds)
    exporter = TelemetryExporter(settings, version="1")
    yield lambda: exporter.send(new_id(), [])
    await exporter.close()


VECTOR = json.dumps({"data": [{"index": 0, "embedding": [3.0, 4.0]}]})
HITS = [{"url": "https://example.com/a", "title": "A"}]
STORED = {"id": "01890a5d-ac96-774b-bcce-b302099a8057", "action": "created", "repeated": False}
SEED_STORED = {"trace": {"thoughts_contributed": 1}}
TEXT_REFUSED: dict[Any, type[FrasierError]] = {400: TextRefused, 413: TextRefused, 422: TextRefused}
CLIENTS = {
    "model": Client(
        open=model,
        path="/v1/chat/completions",
        well=json.dumps({"choices": [{"message": {"content": "Hello."}, "finish_reason": "stop"}]}),
        # A model may answer where another is forbidden. What was sent and not answered may have been billed.
        kinds={403: ProviderRejected, "broken": ProviderTimeout},
    ),
    "OpenAI embedding": Client(
        open=embedding("openai"), path="/v1/embeddings", well=VECTOR, kinds=TEXT_REFUSED
    ),
    "Voyage embedding": Client(
        open=embedding("voyage"), path="/v1/embeddings", well=VECTOR, kinds=TEXT_REFUSED
    ),
    "reranker": Client(
        open=reranker,
        path="/rerank",
        well=json.dumps({"results": [{"index": 0, "score": 0.1}, {"index": 1, "score": 0.9}]}),
    ),
    "scanner service": Client(
        open=scanner_service, path="/scan", well=json.dumps({"score": 93, "findings": []})
    ),
    "external memory, health": Client(
        open=external_memory("frasier", "health"), path="/api/v1/health", well='{"status": "ok"}'
    ),
    "external memory, contribution": Client(
        open=external_memory("frasier", "contribution"), path="/api/v1/contribute", well=json.dumps(STORED)
    ),
    "seed memory, health": Client(
        open=external_memory("seed", "health"), path="/api/v1/health", well='{"status": "ok"}'
    ),
    "seed memory, contribution": Client(
        open=external_memory("seed", "contribution"), path="/api/v1/memory", well=json.dumps(SEED_STORED)
    ),
    "collector of telemetry": Client(open=collector, path="/v1/traces", well="{}"),
    "Brave": Client(open=search("brave"), path="/search", well=json.dumps({"web": {"results": HITS}})),
    "SearXNG": Client(
        open=search("searxng"), path="/search", well=json.dumps({"results": HITS}), has_key=False
    ),
    "web page": Client(
        open=fetcher,
        path="/page",
        well="<p>Prose.</p>",
        content_type="text/html",
        has_key=False,
        only=SourceError,
    ),
}
SERVICES = [name for name, client in CLIENTS.items() if client.only is None]
WITH_KEY = [name for name, client in CLIENTS.items() if client.has_key]


@pytest.fixture
async def server():
    async with WebServer() as running:
        yield running


@pytest.fixture(autouse=True)
def small_replies(monkeypatch):
    monkeypatch.setattr("frasier.outbound.http_client.REPLY_BYTES_MAX", BYTES_MAX)


@pytest.fixture(params=CLIENTS)
def client(request):
    return CLIENTS[request.param]


@pytest.fixture(params=SERVICES)
def service(request):
    return CLIENTS[request.param]


@pytest.fixture(params=WITH_KEY)
def keyed(request):
    return CLIENTS[request.param]


def everything_told(error):
    """All that a person, a log or a program could read of an error, with what it was raised from."""
    return (
        "".join(traceback.format_exception(error)) + repr(error) + repr(error.as_dict()) + repr(vars(error))
    )


async def failure(client, url, kind, *, about=None, seconds=5.0):
    expected = client.kind(kind, about)
    async with client.open(url, seconds) as ask:
        with pytest.raises(expected) as raised:
            await ask()
    assert type(raised.value) is expected
    assert KEY not in everything_told(raised.value)
    return raised.value


def reply(client, body="", status=200, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(body, status=status, content_type=client.content_type, headers=named)


async def test_a_good_reply_is_taken_packed_or_not_and_is_asked_for_once(client, server):
    async with client.open(server.url(""), 5.0) as ask:
        server.routes[client.path] = reply(client, client.well)
        await ask()
        server.routes[client.path] = reply(
            client, gzip.compress(client.well.encode()), Content_Encoding="gzip"
        )
        await ask()
    assert len(server.requests) == 2
    assert not client.has_key or all(KEY in str(request.headers) for request in server.requests)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, ProviderRejected),
        (401, KeyRefused),
        (402, ProviderRejected),
        (403, KeyRefused),
        (404, ProviderRejected),
        (408, ProviderTimeout),
        (409, ProviderRejected),
        (413, ProviderRejected),
        (422, ProviderRejected),
        (429, ProviderRateLimited),
        (500, ProviderUnavailable),
        (502, ProviderUnavailable),
        (503, ProviderUnavailable),
        (504, ProviderTimeout),
        (522, ProviderTimeout),
        (524, ProviderTimeout),
        (529, ProviderUnavailable),
    ],
)
async def test_every_status_but_a_success_is_a_failure(client, server, status, kind):
    # The body of a success does not make one of it.
    server.routes[client.path] = reply(client, client.well, status)
    error = await failure(client, server.url(""), kind, about=status)
    assert status == 429 or str(status) in error.message
    if kind is not KeyRefused:
        server.routes[client.path] = reply(
            client, json.dumps({"error": {"message": "such\na\x1b[31m reason"}}), status
        )
        error = await failure(client, server.url(""), kind, about=status)
        assert client.only or "such a" in error.message
        assert "\x1b" not in error.message


@pytest.mark.parametrize(
    "reason", ["API key not valid. Pass a valid API key.", "INVALID_ARGUMENT: API_KEY_INVALID"]
)
async def test_a_key_that_is_refused_as_a_bad_request_is_told_from_a_request(service, server, reason):
    server.routes[service.path] = reply(service, json.dumps({"error": {"message": reason}}), 400)
    await failure(service, server.url(""), KeyRefused)


async def test_a_long_reason_is_shortened_and_a_page_is_not_quoted(service, server):
    server.routes[service.path] = reply(service, "word " * 5_000, 500)
    assert len((await failure(service, server.url(""), ProviderUnavailable)).message) < 350
    server.routes[service.path] = reply(service, "<html>Sign in to the network</html>", 500)
    assert "Sign in" not in (await failure(service, server.url(""), ProviderUnavailable)).message


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed(service, server, status):
    async with WebServer() as other:
        other.routes["/elsewhere"] = reply(service, service.well)
        server.routes[service.path] = redirect(other.url("/elsewhere"), status)
        error = await failure(service, server.url(""), ProviderRejected)
        assert other.requests == [], "and nobody else is shown the key"
    assert "redirect" in error.message


async def test_a_redirect_to_nowhere_is_a_failure(service, server):
    server.routes[service.path] = reply(service, status=304)
    await failure(service, server.url(""), ProviderRejected)


async def test_nobody_at_the_address(client):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    assert "reached" in (await failure(client, url, ProviderUnavailable)).message


async def test_a_server_that_never_answers_is_left_in_time(client):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        await failure(client, url, ProviderTimeout, seconds=0.1)


async def test_a_server_that_drips_does_not_stretch_its_time(client, server):
    """Every single read is quick, and the whole would never end."""
    server.routes[client.path] = reply(client, drip(b" ", pause_s=0.005))
    error = await failure(client, server.url(""), ProviderTimeout, seconds=0.2)
    assert "0.2 s" in error.message


async def test_a_body_that_is_cut_off_is_a_failure(client, server):
    server.routes[client.path] = reply(client, client.well[:-1], Content_Length="9999")
    await failure(client, server.url(""), ProviderUnavailable, about="broken")


@pytest.mark.parametrize("shape", ["declared", "endless", "packed"])
async def test_a_body_that_is_too_large_is_left_at_the_limit(client, server, shape):
    fits = client.well + " " * (BYTES_MAX - len(client.well))
    async with client.open(server.url(""), 5.0) as ask:
        server.routes[client.path] = reply(client, fits)
        await ask()
    if shape == "declared":
        too_large = reply(client, f"{fits} ")
    elif shape == "endless":
        too_large = reply(client, drip(b" " * 65_536, pause_s=0))
    else:
        packer = zlib.compressobj(9, wbits=31)
        too_large = reply(
            client, packer.compress(bytes(20 * BYTES_MAX)) + packer.flush(), Content_Encoding="gzip"
        )
    server.routes[client.path] = too_large
    error = await failure(client, server.url(""), BadReply)
    assert ("larger than" if client.only else "more than 100,000 bytes") in error.message


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "private"])
async def test_a_body_that_cannot_be_unpacked_is_a_bad_reply(client, server, encoding):
    server.routes[client.path] = reply(client, b"not packed", Content_Encoding=encoding)
    await failure(client, server.url(""), BadReply)


@pytest.mark.parametrize(
    "body",
    [
        "<html><body>Sign in to the network</body></html>",
        "",
        "null",
        "[]",
        '"ok"',
        "7",
        b"\xff\xfe",
        "[" * 100_000,
        '{"choices": 1, "data": 1, "results": 1, "web": 1, "status": 1, "id": 1}',
        '{"choices": [{}], "data": [{}], "results": {}, "web": [{}], "status": [], "id": {}}',
    ],
    ids=["html", "nothing", "null", "list", "string", "number", "binary", "deep", "numbers", "lists"],
)
async def test_a_body_that_the_service_does_not_promise_is_a_bad_reply(service, server, body):
    server.routes[service.path] = reply(service, body)
    await failure(service, server.url(""), BadReply)


def http_date(seconds):
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize("status", [429, 503])
async def test_the_wait_that_a_server_asks_for_is_told_in_each_of_its_spellings(client, server, status):
    kind = ProviderRateLimited if status == 429 else ProviderUnavailable
    for make_headers, seconds in (
        (lambda: {"Retry-After": "7"}, 7.0),
        (lambda: {"Retry-After": "0.5"}, 0.5),
        (lambda: {"Retry-After": http_date(20)}, 20.0),
        (lambda: {"Retry-After": http_date(-20)}, 0.0),
        (lambda: {"retry-after-ms": "250", "Retry-After": "9"}, 0.25),
        (lambda: {"x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "0m12s"}, 12.0),
        (lambda: {"x-ratelimit-reset": str(int(datetime.now(UTC).timestamp()) + 20)}, 20.0),
        (lambda: {"Retry-After": "soon"}, None),
        (dict, None),
    ):
        headers = make_headers()  # a point in time is counted from this request
        server.routes[client.path] = Reply("busy", status=status, headers=headers)
        error = await failure(client, server.url(""), kind)
        told = None if error.retry_after_s is None else pytest.approx(error.retry_after_s, abs=2.0)
        assert (headers, seconds) == (headers, told)


@pytest.mark.parametrize("status", [200, 302, 400, 401, 403, 409, 429, 500])
async def test_the_key_is_never_shown_whoever_repeats_it(keyed, server, status, caplog):
    caplog.set_level(logging.DEBUG)
    for shown in (KEY, KEY[5:20], KEY[16:30], f"Bearer {KEY}"):
        repeated = {
            "error": {"message": f"Not with {shown}!"},
            "reason": shown,
            "status": shown,
            "web": shown,
        }
        server.routes[keyed.path] = reply(keyed, json.dumps(repeated | {"id": f"{shown} {shown}"}), status)
        async with keyed.open(server.url(""), 5.0) as ask:
            with pytest.raises(
                (BadReply, ProviderRejected, ProviderRateLimited, ProviderUnavailable)
            ) as raised:
                await ask()
        assert KEY in str(server.requests[-1].headers)
        assert shown not in everything_told(raised.value) + caplog.text


@pytest.mark.parametrize(
    "other", ["sk-proj-abcdefgh1234", "pa-ABCDEFGHIJ", "voy_abcdefgh1", "Bearer abc.def123"]
)
async def test_nor_is_a_key_of_somebody_else(service, server, other):
    server.routes[service.path] = reply(service, json.dumps({"error": f"bad key {other}"}), 409)
    error = await failure(service, server.url(""), ProviderRejected)
    assert other.removeprefix("Bearer ") not in error.message
    assert "bad key" in error.message


async def test_nor_is_the_key_shown_by_a_server_that_speaks_no_http(keyed):
    async def echo(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(next(line for line in head.split(b"\r\n") if KEY.encode() in line) + b"\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(echo, "127.0.0.1", 0) as listening:
        url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        await failure(keyed, url, ProviderUnavailable, about="broken")


async def test_nothing_is_asked_while_a_transaction_is_open(client, server):
    server.routes[client.path] = reply(client, client.well)
    async with client.open(server.url(""), 5.0) as ask:
        with transaction_open(), pytest.raises(InvariantBroken, match="transaction"):
            await ask()
    assert server.requests == []


async def test_a_call_that_nobody_waits_for_any_more_is_cut_off(client, server):
    arrived = asyncio.Event()

    def held(_request):
        arrived.set()
        return reply(client, drip(b" ", pause_s=0.01))

    server.routes[client.path] = held
    async with client.open(server.url(""), 5.0) as ask:
        call = asyncio.ensure_future(ask())
        await arrived.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        server.routes[client.path] = reply(client, client.well)
        await ask()


@pytest.mark.parametrize("key", ["köy", "two\nlines", "nul\0"])
def test_a_key_that_no_header_can_carry_is_refused_without_being_shown(key):
    with pytest.raises(ConfigurationError, match="Authorization") as refused:
        HttpClient(headers={"Authorization": f"Bearer {key}"})
    assert key not in everything_told(refused.value)
