"""The Python client of the board, against the real application on a socket of its own."""

from __future__ import annotations

import asyncio
import inspect
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar

import pytest

from frasier.board import BoardEngine, DecisionNeeded, add_member, make_board
from frasier.interfaces.asgi_server import listening_on, serve_until
from frasier.interfaces.client import BoardClient
from frasier.interfaces.client.error_from_response import error_from_response
from frasier.interfaces.http import make_app
from frasier.interfaces.operations import Envelope
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.kernel import errors
from frasier.kernel.errors import (
    BadReply,
    FrasierError,
    InvalidInput,
    LeaseLost,
    NotAllowed,
    NotFound,
    ProviderTimeout,
    ProviderUnavailable,
    Stale,
    TaskBlocked,
    TransitionRefused,
)
from frasier.memory import issue_token, open_engine
from frasier.store import Database
from frasier.store.subscriptions.delivery import SubscriberGone
from frasier.workflow import FOUNDER, SaidWithMove
from support.memory_client import NO_VECTORS
from support.team import NotificationRecorder, StubLinkChecker

T = TypeVar("T")

ROLES = {"anna": "pdsa", "lia": "liaison"}
FIELDS = {"description": "A kettle that whistles.", "acceptance_criteria": ["It whistles."]}
READY = {"depends_on_reviewed": True}


@dataclass
class Served:
    """A server with a board, and clients of those who have a token."""

    url: str
    tokens: dict[str, str]
    open: list[BoardClient] = field(default_factory=list)

    def __call__(self, who: str) -> BoardClient:
        self.open.append(BoardClient(self.url, self.tokens[who]))
        return self.open[-1]


@asynccontextmanager
async def served(db: Database) -> AsyncIterator[Served]:
    tokens = {"nobody": "frasier_sk-" + "a" * 43}
    async with db.transaction() as tx:
        await make_board(tx, "kettle", actor=FOUNDER)
        for name, role in ROLES.items():
            tokens[name] = await issue_token(tx, name, ["shared"])
            await add_member(tx, name, [role], ["kettle"], actor=FOUNDER)
        tokens["boss"] = await issue_token(tx, "boss", ["shared"], founder=True)
        tokens["stranger"] = await issue_token(tx, "stranger", ["shared"])
    stop = asyncio.Event()
    async with open_engine(db, NO_VECTORS, owner_url=db.url) as engine:
        board = BoardEngine(
            database=db, links=StubLinkChecker(), direct_url=db.url, notify_founder=NotificationRecorder()
        )
        app = make_app(engine, {**TASK_OPERATIONS, **MEMORY_OPERATIONS}, board=board)
        with listening_on("127.0.0.1", 0, service="The test") as listening:
            server = asyncio.create_task(serve_until(stop, app, listening))
            port = listening.getsockname()[1]
            made = Served(f"http://127.0.0.1:{port}", tokens)
            yield made
            for client in made.open:
                client.close()
            stop.set()
            await server


@pytest.fixture
async def board(db: Database) -> AsyncIterator[Served]:
    async with served(db) as made:
        yield made


async def away(work: Callable[[], T]) -> T:
    """Does the client's work in a thread: it waits for the server, which runs here."""
    return await asyncio.to_thread(work)


def taken(lia: BoardClient, name: str) -> int:
    """A task of the liaison's own, claimed; gives the attempt."""
    lia.create(name, "A kettle", FIELDS | READY, role="liaison")
    lia.move(name, "ready")
    lia.call("memory_search", query="kettle", session=f"s-{name}")
    return int(lia.claim(name, memory_query_session=f"s-{name}").data["attempt"])


def test_every_tool_has_a_method_that_takes_what_it_takes():
    for name, tool in TASK_OPERATIONS.items():
        method = getattr(BoardClient, name.removeprefix("task_"))
        parameters = dict(inspect.signature(method).parameters)
        parameters.pop("self")
        assert set(parameters) == set(tool.input.model_fields), name
        for parameter, given in parameters.items():
            required = tool.input.model_fields[parameter].is_required()
            assert required <= (given.default is inspect.Parameter.empty), (name, parameter)


async def test_a_task_is_worked_on_from_its_making_to_its_delivery(board: Served):
    lia = board("lia")

    def work() -> None:
        attempt = taken(lia, "tea")
        version = lia.renew("tea", attempt=attempt).data["version"]
        edited = lia.edit("tea", {"findings": "It boils."}, version=version, attempt=attempt)
        assert isinstance(edited, Envelope)
        lia.note({"step": "written", "on": date(2026, 5, 1)})
        found = lia.recover().data
        assert found["stood"]["state"] == {"step": "written", "on": "2026-05-01"}
        assert [held["task"] for held in found["holding"]] == ["kettle/tea"]
        memory = lia.call("memory_save", content="Kettles whistle when the steam is let out.").data["id"]
        done = lia.deliver("tea", attempt=attempt, fields={"memory_contribution_id": memory}, note="found")
        assert (done.data["status"], done.data["role"]) == ("review", "liaison")
        assert lia.history("tea").data["problems"] == []
        assert [one["task"] for one in lia.list(mine=True).data["tasks"]] == ["kettle/tea"]
        assert "pdsa_task" in str(lia.process().data)
        assert lia.wait(timeout_s=0).data["tasks"]
        blocked = lia.block("tea", reason="no water", owner="founder", action="bring some")
        assert blocked.data["status"] == "blocked"
        assert lia.restore("tea", note="there is some").data["status"] == "review"

    await away(work)


async def test_what_the_server_refuses_is_raised_as_what_it_is(board: Served):
    lia, anna = board("lia"), board("anna")

    def work() -> None:
        attempt = taken(lia, "tea")
        with pytest.raises(TransitionRefused, match="may not cancel") as refused:
            anna.move("tea", "cancel", fields={"reason": "no"})
        assert refused.value.kept
        assert refused.value.hint
        with pytest.raises(LeaseLost):
            lia.renew("tea", attempt=attempt + 1)
        with pytest.raises(Stale):
            lia.edit("tea", {"findings": "x"}, version=1, attempt=attempt)
        version = lia.get("tea").data["version"]
        same = lia.edit("tea", {"constraints": ""}, version=version, attempt=attempt)
        assert (same.data["version"], "nothing was changed" in same.summary) == (version, True)
        lia.block("tea", reason="no water", owner="founder", action="bring some", attempt=attempt)
        with pytest.raises(
            TaskBlocked,
            match=r"^tea has been blocked since .*, by lia: no water\. Now founder must bring some\.$",
        ):
            lia.renew("tea", attempt=attempt)
        again = lia.restore("tea")
        assert (
            f"lia holds it under attempt {attempt}, until {again.data['lease_until'][:10]}" in again.summary
        )
        with pytest.raises(NotFound) as missing:
            lia.get("nothing")
        assert missing.value.hint
        with pytest.raises(InvalidInput) as wrong:
            lia.list(limit=0)
        assert wrong.value.number == "E032"
        with pytest.raises(NotFound, match="no tool"):
            lia.call("task_fly")

    await away(work)


async def test_a_move_waits_for_the_founder_who_decides_with_a_token(board: Served):
    lia, boss = board("lia"), board("boss")
    back = {"rework_target_role": "liaison", "rework_reason": "No proof"}

    def work() -> None:
        attempt = taken(lia, "tea")
        memory = lia.call("memory_save", content="Kettles whistle when the steam is let out.").data["id"]
        lia.deliver(
            "tea", attempt=attempt, fields={"findings": "It boils.", "memory_contribution_id": memory}
        )
        with pytest.raises(DecisionNeeded) as needed:
            lia.move("tea", "send_back_to", fields=back)
        assert needed.value.question is None
        assert needed.value.hint
        [waiting] = boss.decisions().data["decisions"]
        with pytest.raises(NotAllowed):
            lia.decide(waiting["decision"], approve=True)
        assert boss.decide(waiting["decision"], approve=True, comment="yes").data["answer"] == "approved"
        assert lia.move("tea", "send_back_to", fields=back).data["status"] == "rework"

    await away(work)


@pytest.mark.parametrize("who", ["nobody", "stranger"])
async def test_whoever_is_no_member_is_not_let_in(board: Served, who: str):
    with pytest.raises(NotAllowed):
        await away(board(who).recover)


async def test_where_no_server_is_that_is_what_is_said():
    with socket.create_server(("127.0.0.1", 0)) as taken_, BoardClient("http://127.0.0.1:1", "t") as client:
        with pytest.raises(ProviderUnavailable, match="cannot be reached") as unreached:
            await away(client.recover)
        assert unreached.value.kept == "Nothing was sent."
        assert "frasier serve" in unreached.value.hint
        silent = BoardClient(f"http://127.0.0.1:{taken_.getsockname()[1]}", "t", timeout_s=0.2)
        with pytest.raises(ProviderTimeout, match="did not answer task_recover") as asked:
            await away(silent.recover)
        assert (asked.value.kept, asked.value.hint) == ("Nothing was changed.", "Ask again.")
        with silent, pytest.raises(ProviderTimeout, match="did not answer task_move") as moved:
            await away(lambda: silent.move("tea", "ready"))
        assert moved.value.kept == "It is not known whether it was done."
        assert "Read back" in moved.value.hint
    with BoardClient("no address", "t") as nowhere, pytest.raises(ProviderUnavailable):
        await away(nowhere.recover)


@pytest.mark.parametrize("said", [None, [], {}, {"error": "x"}, {"error": {"code": "stale"}}])
def test_an_answer_that_says_nothing_is_a_bad_reply(said: Any):
    assert isinstance(error_from_response(500, said), BadReply)


def test_every_error_comes_back_as_what_it_was():
    kinds = [
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, FrasierError)
    ]
    for kind in kinds:
        told = {"code": kind.code, "message": "It broke.", "hint": "Mend it."}
        found = error_from_response(500, {"error": told})
        assert type(found) is kind
        assert (found.message, found.hint) == ("It broke.", "Mend it.")
    unknown = error_from_response(500, {"error": {"code": "of_tomorrow", "message": "It broke."}})
    assert isinstance(unknown, FrasierError)
    assert (unknown.code, unknown.message) == ("of_tomorrow", "It broke.")
    with pytest.raises(TransitionRefused) as refused:
        raise error_from_response(409, {"error": {"code": "said_with_move", "message": "It was said."}})
    assert type(refused.value) is SaidWithMove


def test_every_error_that_a_slice_adds_comes_back_as_what_it_was():
    here = [
        kind
        for kind in subclasses(FrasierError)
        if "code" in vars(kind) and kind.__module__.startswith("frasier")
    ]
    assert {SaidWithMove, DecisionNeeded} <= set(here)
    for kind in set(here) - {SubscriberGone}:  # which no caller of the server meets
        if not kind.__module__.startswith("frasier.interfaces.client"):
            assert type(error_from_response(409, {"code": kind.code, "detail": "It broke."})) is kind


def subclasses(kind: type[FrasierError]) -> list[type[FrasierError]]:
    return [inner for one in kind.__subclasses__() for inner in (one, *subclasses(one))]
