"""The stream of events over a real socket: who may follow it, what it shows, and when it ends."""

from __future__ import annotations

import asyncio
import itertools
import queue
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import httpx2
import pytest
from jsonschema_rs import validator_for

from frasier.interfaces.http import event_stream, serve_memory
from frasier.interfaces.http.openapi import openapi_document
from frasier.interfaces.resources import RESOURCES
from frasier.interfaces.server_settings import ServerSettings, connection_limits
from frasier.interfaces.services import Services
from frasier.kernel.ids import new_id
from frasier.memory import issue_token, revoke_token
from frasier.store import Tx, append_event
from support.cli_states import planned_mission
from support.event_streams import Stream, open_stream
from support.organisation import organisation
from support.organisation_api import OPERATIONS
from support.served import Address

WAIT_S = 30
SILENCE_S = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """A served organisation; `clients` are those of its callers."""

    services: Services
    address: Address
    stop: asyncio.Event
    serving: asyncio.Task[None]
    clients: Mapping[str, httpx2.AsyncClient]

    @property
    def founder(self) -> httpx2.AsyncClient:
        return self.clients["founder"]

    @property
    def observer(self) -> httpx2.AsyncClient:
        return self.clients["observer"]

    async def append(self, *numbers: int, kind: str = "it.happened", stream: UUID | None = None) -> None:
        async def write(tx: Tx) -> None:
            for n in numbers:
                await append_event(tx, stream=stream or new_id(), kind=kind, actor="tester", payload={"n": n})

        await self.services.in_transaction(write)


@pytest.fixture
async def api(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> AsyncIterator[Api]:
    """Serve the organisation in this loop, with the ServerSettings of the test. Streams are checked after a short
    silence.
    """
    settings = getattr(request, "param", ServerSettings())
    monkeypatch.setattr(event_stream, "KEEP_ALIVE_S", SILENCE_S)
    announced: queue.Queue[str] = queue.Queue()
    async with AsyncExitStack() as stack:
        services = await stack.enter_async_context(organisation(database_url, tmp_path / "home"))
        stop = asyncio.Event()
        serving = asyncio.create_task(
            serve_memory(
                services.memory,
                {},
                board=services.board,
                services=services,
                host="127.0.0.1",
                port=0,
                limits=connection_limits(settings),
                stop=stop,
                announce=announced.put,
            )
        )
        while announced.empty():
            await asyncio.sleep(0)
            assert not serving.done()
        while "served at" not in (line := announced.get_nowait()):
            await asyncio.sleep(0)
        address = Address(line)
        clients = {}
        for name, rights in {
            "founder": {"founder": True},
            "observer": {"read_only": True},
            "member": {},
        }.items():
            token = await services.in_transaction(issue_token, name, ["shared"], **rights)
            headers = {"Authorization": f"Bearer {token}"}
            clients[name] = await stack.enter_async_context(
                httpx2.AsyncClient(
                    base_url=f"http://{address.host}:{address.port}", headers=headers, timeout=WAIT_S
                )
            )
        clients["nobody"] = await stack.enter_async_context(
            httpx2.AsyncClient(base_url=f"http://{address.host}:{address.port}", timeout=WAIT_S)
        )
        yield Api(services=services, address=address, stop=stop, serving=serving, clients=clients)
        stop.set()
        await serving


async def started(stream: Stream) -> str:
    """Wait until the stream has said where it begins; return that cursor."""
    async with asyncio.timeout(WAIT_S):
        await stream.until(lambda parser: parser.last_id != "")
    return stream.parser.last_id


async def read(stream: Stream, count: int) -> list[int]:
    async with asyncio.timeout(WAIT_S):
        return [message.json["payload"]["n"] for message in await stream.read(count)]


@pytest.mark.parametrize("caller", ["founder", "observer"])
async def test_the_founder_and_an_observer_follow_events_as_they_happen(api: Api, caller: str) -> None:
    async with open_stream(api.clients[caller]) as stream:
        assert stream.response.status_code == 200
        assert stream.response.headers["content-type"].startswith("text/event-stream")
        assert stream.response.headers["cache-control"] == "no-store"
        await started(stream)
        subject = new_id()
        await api.append(1, 2, stream=subject)
        async with asyncio.timeout(WAIT_S):
            first, second = await stream.read(2)
    event = first.json
    assert (event["kind"], event["actor"], event["payload"]) == ("it.happened", "tester", {"n": 1})
    assert (event["stream"], event["seq"], event["cursor"]) == (str(subject), 1, first.id)
    assert (first.event, second.json["payload"]) == ("message", {"n": 2})


@pytest.mark.parametrize(("caller", "status"), [("member", 403), ("nobody", 401)])
async def test_nobody_else_may(api: Api, caller: str, status: int) -> None:
    answered = await api.clients[caller].get("/api/v1/events/stream")
    assert answered.status_code == status


@pytest.mark.parametrize("how", ["header", "parameter"])
async def test_a_client_goes_on_after_the_last_id_that_it_had(api: Api, how: str) -> None:
    async with open_stream(api.founder) as stream:
        await started(stream)
        await api.append(1, 2, 3)
        async with asyncio.timeout(WAIT_S):
            messages = await stream.read(3)
    await api.append(4)
    last = messages[1].id
    query, headers = ("", {"Last-Event-ID": last}) if how == "header" else (f"?after={last}", {})
    async with open_stream(api.founder, query, **headers) as stream:
        assert await read(stream, 2) == [3, 4]


async def test_a_stream_is_of_one_mission_with_its_tasks_or_of_one_board(api: Api, tmp_path: Path) -> None:
    mission = (await api.services.in_transaction(planned_mission, tmp_path)).mission.id
    await api.services.in_transaction(planned_mission, tmp_path)
    async with open_stream(api.founder, f"?after={await beginning(api)}&mission={mission}") as stream:
        await api.append(1, stream=mission)
        kinds, streams = set[str](), set[str]()
        async with asyncio.timeout(WAIT_S):
            async for message in stream.messages():
                kinds.add(message.json["kind"])
                streams.add(message.json["stream"])
                if message.json["payload"] == {"n": 1}:
                    break
    assert str(mission) in streams
    assert len(streams) > 1, "its tasks, too"
    assert "task.created" in kinds
    async with api.services.board.database.transaction() as tx:
        cursor = await tx.execute("select id from workflow_tasks where group_id = %s", (mission,))
        assert streams <= {str(mission), *(str(row["id"]) for row in await cursor.fetchall())}


async def beginning(api: Api) -> str:
    async def read_epoch(tx: Tx) -> int:
        cursor = await tx.execute("select event_epoch() as epoch")
        return (await cursor.fetchone())["epoch"]

    return f"{await api.services.in_transaction(read_epoch)}-0-0"


async def test_a_stream_shows_the_kinds_that_are_wanted_and_knows_how_far_it_is(api: Api) -> None:
    async with open_stream(api.founder, "?kind=wanted&kind=also.*") as stream:
        await started(stream)
        await api.append(1, kind="unwanted")
        await api.append(2, kind="wanted")
        await api.append(3, kind="also.this")
        await api.append(4, kind="wanted.not")
        assert await read(stream, 2) == [2, 3]
        await api.append(5, kind="unwanted")
        last = stream.parser.last_id
        async with asyncio.timeout(WAIT_S):
            await stream.until(lambda parser: parser.last_id != last)
    async with open_stream(api.founder, f"?after={stream.parser.last_id}") as stream:
        await api.append(6)
        assert await read(stream, 1) == [6], "what it passed over does not come again"


@pytest.mark.parametrize(
    "query",
    ["?after=nonsense", "?kind=", "?kind=a%0Db", "?mission=a&board=b", "?kinds=a", "?after=1-2-3%0A"],
)
async def test_a_wrong_request_is_refused_before_the_stream_begins(api: Api, query: str) -> None:
    answered = await api.founder.get(f"/api/v1/events/stream{query}")
    assert answered.status_code == 422, answered.text


async def test_the_document_describes_the_stream(api: Api) -> None:
    document = openapi_document(RESOURCES, OPERATIONS)
    described = document["paths"]["/api/v1/events/stream"]["get"]
    taken = {one["name"] for one in described["parameters"] if one["in"] == "query"}
    assert taken == event_stream._PARAMETERS
    assert {"401", "403", "404", "422", "429"} <= described["responses"].keys()
    (media_type,) = described["responses"]["200"]["content"]
    message = described["responses"]["200"]["content"][media_type]["schema"]["contentSchema"]
    async with open_stream(api.founder) as stream:
        await started(stream)
        await api.append(1)
        async with asyncio.timeout(WAIT_S):
            [event] = await stream.read(1)
    checked = validator_for({"components": document["components"], **message})
    assert [one.message for one in checked.iter_errors(event.json)] == []
    refused = await api.founder.get("/api/v1/events/stream", params={"kinds": "a"})
    assert refused.headers["content-type"] != media_type == "text/event-stream"


@pytest.mark.parametrize("query", ["?mission=nothing", "?board=nothing"])
async def test_what_is_not_there_is_not_found(api: Api, query: str) -> None:
    assert (await api.founder.get(f"/api/v1/events/stream{query}")).status_code == 404


async def test_a_cursor_of_another_epoch_is_told_to_read_again_and_goes_on(api: Api) -> None:
    async with open_stream(api.founder, "?after=1-2-3") as stream:
        async with asyncio.timeout(WAIT_S):
            [message] = await stream.read(1)
        assert (message.event, message.json) == ("reload", {"cursor": message.id})
        await api.append(7)
        assert await read(stream, 1) == [7]


async def test_a_line_end_in_a_field_forges_no_event(api: Api) -> None:
    text = "a\rdata: forged\r\nevent: reload\n\nid: 1-1-1\u2028\u2029\x85 <script>"

    async def write(tx: Tx) -> None:
        await append_event(tx, stream=new_id(), kind="k", actor=text, payload={text: text})

    async with open_stream(api.founder) as stream:
        await started(stream)
        await api.services.in_transaction(write)
        async with asyncio.timeout(WAIT_S):
            [message] = await stream.read(1)
    assert message.event == "message"
    assert (message.json["actor"], message.json["payload"]) == (text, {text: text})


@pytest.mark.parametrize(
    "api",
    [ServerSettings(idle_s=SILENCE_S, header_s=SILENCE_S, body_s=1)],
    indirect=True,
    ids=["short limits"],
)
async def test_a_silent_stream_is_kept_alive_and_not_cut_as_idle(api: Api) -> None:
    async with open_stream(api.founder) as stream:
        await started(stream)
        async with asyncio.timeout(WAIT_S):
            await stream.until(
                lambda parser: parser.comments >= 15
            )  # it is silent for longer than may be idle
        await api.append(1)
        assert await read(stream, 1) == [1]


async def test_a_stream_ends_soon_after_its_token_is_revoked(api: Api) -> None:
    async with open_stream(api.clients["observer"]) as stream:
        await started(stream)
        await api.services.in_transaction(revoke_token, "observer")
        async with asyncio.timeout(WAIT_S):
            async for _ in stream.messages():
                raise AssertionError("nothing happened")


async def test_a_stream_without_silence_ends_soon_after_its_token_is_revoked(api: Api) -> None:
    async def write_on() -> None:
        for n in itertools.count():
            await api.append(n)

    async with open_stream(api.clients["observer"]) as stream:
        await started(stream)
        writing = asyncio.create_task(write_on())
        await api.services.in_transaction(revoke_token, "observer")
        async with asyncio.timeout(WAIT_S):
            async for _ in stream.messages():
                pass
        assert not writing.done()
        writing.cancel()


async def test_a_request_for_the_head_of_the_stream_ends(api: Api) -> None:
    answered = await api.founder.head("/api/v1/events/stream")
    assert (answered.status_code, answered.headers["content-type"].partition(";")[0]) == (
        200,
        "text/event-stream",
    )
    await api.founder.get("/api/v1/health")


async def test_one_token_cannot_hold_every_connection(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "STREAMS_MAX", 2)
    async with open_stream(api.observer) as first, open_stream(api.observer) as second:
        await started(first)
        await started(second)
        refused = await api.observer.get("/api/v1/events/stream")
        assert (refused.status_code, refused.json()["code"]) == (429, "too_often"), refused.text
        async with open_stream(api.founder) as other:
            await started(other)
    async with asyncio.timeout(WAIT_S):
        while (await api.observer.get("/api/v1/events/stream?kinds=a")).status_code == 429:
            await asyncio.sleep(0)
    async with open_stream(api.observer) as again:
        await started(again)


async def test_a_stream_ends_at_once_when_the_server_stops(api: Api) -> None:
    async with open_stream(api.founder) as stream:
        await started(stream)
        api.stop.set()
        async with asyncio.timeout(10):  # well below the time for requests in flight
            async for _ in stream.messages():
                raise AssertionError("nothing happened")
            await api.serving
