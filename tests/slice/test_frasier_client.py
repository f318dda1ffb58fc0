"""The Python client of all operations, against the real application on a socket, and against servers that fail."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

import pytest

from frasier.board import add_member, make_board
from frasier.interfaces.asgi_server import listening_on, serve_until
from frasier.interfaces.client import BoardClient, FrasierClient
from frasier.interfaces.http import make_app
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.organisation.registry import ORGANISATION_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.interfaces.resources import PLACES, RESOURCE_OF
from frasier.kernel.errors import (
    BadReply,
    InvalidInput,
    NotAllowed,
    NotFound,
    ProviderUnavailable,
    Stale,
    StoreError,
    TooOften,
)
from frasier.memory import MemoryKind, issue_token
from frasier.org.missions import MissionStatus
from frasier.store import OutcomeUnknown
from frasier.workflow import FOUNDER
from support.cli_states import completed_mission
from support.organisation import organisation

T = TypeVar("T")
OPERATIONS = {**ORGANISATION_OPERATIONS, **TASK_OPERATIONS, **MEMORY_OPERATIONS}
FIELDS = {"description": "A kettle that whistles.", "acceptance_criteria": ["It whistles."]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    url: str
    founder: str
    member: str
    observer: str

    def client(self, who: str) -> FrasierClient:
        return FrasierClient(self.url, getattr(self, who))


@pytest.fixture
async def served(database_url: str, tmp_path: Path) -> AsyncIterator[Served]:
    async with organisation(database_url, tmp_path / "home") as services:
        await services.in_transaction(completed_mission, tmp_path)
        await services.in_transaction(make_board, "kettle", actor=FOUNDER)
        founder = await services.in_transaction(issue_token, "boss", ["shared"], founder=True)
        member = await services.in_transaction(issue_token, "lia", ["shared"])
        observer = await services.in_transaction(issue_token, "watcher", ["shared"], read_only=True)
        await services.in_transaction(add_member, "lia", ["liaison"], ["kettle"], actor=FOUNDER)
        app = make_app(services.memory, OPERATIONS, board=services.board, services=services)
        stop = asyncio.Event()
        with listening_on("127.0.0.1", 0, service="The test") as listening:
            server = asyncio.create_task(serve_until(stop, app, listening))
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            yield Served(url=url, founder=founder, member=member, observer=observer)
            stop.set()
            await server


async def away(work: Callable[[], T]) -> T:
    """Do the client's work in a thread: it waits for the server, which runs here."""
    return await asyncio.to_thread(work)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_has_a_method_that_takes_what_it_takes(name: str) -> None:
    method = getattr(FrasierClient, name)
    parameters = dict(inspect.signature(method).parameters)
    parameters.pop("self")
    fields = OPERATIONS[name].input.model_fields
    assert set(parameters) == set(fields) - PLACES
    for parameter, given in parameters.items():
        needed = fields[parameter].is_required() or parameter in RESOURCE_OF[name].path_inputs
        assert needed == (given.default is inspect.Parameter.empty), parameter
    assert method.__doc__


def test_the_client_loads_without_what_a_server_needs() -> None:
    heavy = "psycopg", "numpy", "starlette", "openai", "frasier.store.database", "frasier.memory.engine"
    program = (
        "import sys; from frasier.interfaces.client import FrasierClient; FrasierClient('http://x', 't').close();"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


async def test_all_three_families_answer_with_typed_data(served: Served) -> None:
    def work() -> None:
        with served.client("founder") as founder, served.client("member") as lia:
            [mission] = founder.mission_list(status=["delivered", MissionStatus.COMPLETED]).data.missions
            assert founder.mission_get(str(mission.mission)).data.mission.progress.title == mission.title
            assert founder.deliverable_get(str(mission.mission)).data.deliverable.approved
            assert founder.status_get().data.missions
            made = lia.task_create("tea", "A kettle", FIELDS, board="kettle")
            assert (made.data.task, made.data.version) == ("kettle/tea", 1)
            assert lia.task_get("kettle/tea").data.fields["description"] == FIELDS["description"]
            assert [one.task for one in lia.task_list(board="kettle").data.tasks] == ["kettle/tea"]
            saved = lia.memory_save(
                content="The kettle whistles at a hundred degrees.", kind=MemoryKind.LESSON
            )
            assert lia.memory_get(str(saved.data.id)).data.kind is MemoryKind.LESSON
            assert lia.board.get("kettle/tea").data["task"] == "kettle/tea"

    await away(work)


async def test_pages_follow_each_other(served: Served) -> None:
    def work() -> None:
        with served.client("member") as lia:
            for number in range(5):
                lia.memory_save(content=f"Kettle number {number} whistles.", kind="lesson", force=True)
                lia.task_create(f"tea-{number}", "A kettle", FIELDS, board="kettle", priority=number % 2)
            pages = list(lia.pages(lia.memory_list(limit=2, kinds=["lesson"])))
            assert [len(page.data.memories) for page in pages] == [2, 2, 1]
            tasks = [one.task for page in lia.pages(lia.task_list(limit=2)) for one in page.data.tasks]
            assert tasks == [f"kettle/tea-{number}" for number in (1, 3, 0, 2, 4)]
        with served.client("founder") as founder:
            events = [
                one.id for page in founder.pages(founder.event_list(limit=7)) for one in page.data.events
            ]
            assert len(events) == len(set(events)) > 14

    await away(work)


async def test_what_the_server_refuses_is_raised_with_code_facts_and_advice(served: Served) -> None:
    def work() -> None:
        with served.client("founder") as founder, served.client("member") as lia:
            with pytest.raises(NotFound) as missing:
                founder.mission_get("ffffffff")
            assert missing.value.advice
            with pytest.raises(InvalidInput) as wrong:
                lia.memory_list(limit=0)
            assert wrong.value.number == "E032"
            lia.task_create("tea", "A kettle", FIELDS, board="kettle")
            with pytest.raises(Stale):
                lia.task_edit("tea", version=7, fields={"constraints": "none"})
            with pytest.raises(NotAllowed):
                lia.mission_list()
        with served.client("observer") as watcher:
            assert watcher.mission_list().data.missions
            with pytest.raises(NotAllowed, match="may only read"):
                watcher.memory_save(content="The kettle whistles at a hundred degrees.")

    await away(work)


async def test_a_document_is_uploaded(served: Served, tmp_path: Path) -> None:
    offer = tmp_path / "offer.md"
    offer.write_text("# An offer")

    def work() -> None:
        with served.client("founder") as founder:
            assert founder.upload(offer) == founder.upload(str(offer))
        with served.client("member") as lia, pytest.raises(NotAllowed):
            lia.upload(offer)

    await away(work)


Answer = tuple[int, dict[str, str], str]
ENVELOPE = (
    '{"summary": "1", "hints": [], "meta": {"tool": "x", "latency_ms": 1, "tokens": 0, "cache_hit": false, "degraded": ""},'
    ' "data": {"cited": 1}}'
)


@contextmanager
def failing_server(*answers: Answer | None) -> Iterator[tuple[str, list[str | None]]]:
    """Serve these answers in turn, the last again and again; None closes the connection. Yield the keys that arrived."""
    keys: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            keys.append(self.headers.get("Idempotency-Key"))
            self.rfile.read(int(self.headers["Content-Length"]))
            answer = answers[min(len(keys), len(answers)) - 1]
            if answer is None:
                self.close_connection = True
                return
            status, headers, body = answer
            self.send_response(status)
            for name, value in (headers | {"Content-Length": str(len(body))}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", keys
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waited: list[float] = []
    monkeypatch.setattr("frasier.interfaces.client.connection.time.sleep", waited.append)
    return waited


def problem(status: int, code: str, **headers: str) -> Answer:
    return status, headers, f'{{"code": "{code}", "detail": "It broke.", "hint": "Mend it."}}'


def test_a_write_is_repeated_under_its_key_until_it_is_answered(waits: list[float]) -> None:
    answers = (
        None,
        problem(429, "too_often", **{"Retry-After": "2"}),
        problem(409, "request_running"),
        (200, {}, ENVELOPE),
    )
    with failing_server(*answers) as (url, keys), FrasierClient(url, "t") as client:
        assert client.memory_cite(["a"]).summary == "1"
        client.memory_cite(["a"])
    assert len(keys) == 5
    assert len(set(keys[:4])) == 1, "the same key while it is repeated"
    assert keys[4] not in {None, keys[0]}, "another call has another"
    assert waits[1] == 2.0


@pytest.mark.parametrize(
    ("answer", "error", "sent"),
    [
        (problem(503, "database_unreachable"), StoreError, 6),
        (problem(429, "too_often", **{"Retry-After": "3600"}), TooOften, 1),
        (problem(409, "outcome_unknown"), OutcomeUnknown, 1),
        (problem(412, "stale"), Stale, 1),
        ((500, {}, "<html>"), BadReply, 1),
        ((200, {}, "<html>"), BadReply, 1),
        ((200, {}, '{"summary": "1"}'), BadReply, 1),
        (None, ProviderUnavailable, 6),
    ],
)
@pytest.mark.usefixtures("waits")
def test_what_a_repetition_cannot_mend_is_raised(
    answer: Answer | None, error: type[Exception], sent: int
) -> None:
    with failing_server(answer) as (url, keys), FrasierClient(url, "t") as client:
        with pytest.raises(error):
            client.memory_cite(["a"])
        assert len(keys) == sent


@pytest.mark.usefixtures("waits")
def test_where_no_server_is_that_is_what_is_said() -> None:
    with FrasierClient("http://127.0.0.1:1", "t") as client, pytest.raises(ProviderUnavailable):
        client.status_get()
    for address in ("no address", "127.0.0.1:1"):
        with FrasierClient(address, "t") as client, pytest.raises(ProviderUnavailable) as refused:
            client.status_get()
        assert refused.value.kept == "Nothing was sent."
        assert "http://127.0.0.1:8764" in refused.value.hint


@pytest.mark.usefixtures("waits")
def test_an_answer_that_got_lost_leaves_open_whether_it_was_done() -> None:
    with (
        failing_server(None) as (url, _),
        FrasierClient(url, "t") as client,
        pytest.raises(ProviderUnavailable) as lost,
    ):
        client.memory_cite(["a"])
    assert lost.value.kept == "It is not known whether it was done."
    assert lost.value.hint.startswith("Read back what it changes")


@pytest.mark.parametrize("token", ["", " \n", "frasier_sk-ü"])
@pytest.mark.parametrize("kind", [FrasierClient, BoardClient])
def test_a_text_that_is_no_token_is_refused_before_anything_is_sent(
    kind: type[FrasierClient | BoardClient], token: str
) -> None:
    with pytest.raises(InvalidInput, match="The token") as refused:
        kind("http://127.0.0.1:1", token)
    assert refused.value.kept == "Nothing was sent."


async def test_the_address_of_the_api_and_a_token_with_its_line_end_are_taken(
    served: Served, tmp_path: Path
) -> None:
    def work() -> None:
        with FrasierClient(f"{served.url}/api/v1", f"{served.member}\n") as lia:
            assert lia.memory_list().summary
            assert lia.board.recover().data["you"]["name"] == "token:lia"
            with pytest.raises(InvalidInput, match="id must not be empty"):
                lia.memory_get(id="")

    await away(work)
