"""The program that serves the page over a large database, and clients that are logged in."""

from __future__ import annotations

import asyncio
import re
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from uuid import UUID

import psycopg

from bench.page_dataset import PageDataset, copy_board_task, copy_mission
from bench.programs import FRASIER, run_program
from bench.sizes import Sizes
from bench.workspace import Urls, Workspace
from frasier.board import NewBoardTask, add_task, make_board
from frasier.interfaces.web.founder import FOUNDER as PAGE_FOUNDER
from frasier.kernel.ids import new_id
from frasier.org.execution import answer_waiting
from frasier.org.governance import ask_founder, issue_login_link, open_questions
from frasier.store import Database, Tx, append_event
from frasier.workflow import FOUNDER

_STOP_S_MAX = 30.0
_SERVED_S_MAX = 60.0
_BOARD = "bench"
_ANSWER = "the first of the two"


@dataclass(frozen=True, slots=True)
class PageServer:
    """A running server of the page: its host with the port, its process, and the cookie of a session."""

    host: str
    pid: int
    cookie: str
    database: Database

    async def ask(self, count: int = 1) -> tuple[list[UUID], float]:
        """Ask the founder questions in one transaction; return their ids and the moment of the commit."""
        async with self.database.transaction() as tx:
            asked = [await _ask(tx) for _ in range(count)]
        return [question for question in asked if question], time.time()

    async def answer_all(self) -> None:
        """Answer everything that waits."""
        async with self.database.transaction() as tx:
            for question in await open_questions(tx):
                await answer_waiting(tx, str(question.id), _ANSWER, founder=PAGE_FOUNDER)

    def get(self, address: str) -> tuple[float, bytes]:
        """Load a page; return the milliseconds to its last byte, and the page."""
        started = time.perf_counter()
        body = self._send("GET", address, {"Cookie": self.cookie})
        return (time.perf_counter() - started) * 1_000, body

    def leave(self, tab: str) -> None:
        """Say that a tab shows its page no more, as its script does; `tab` is a query."""
        self._send("POST", f"/live/leave?{tab}", {"Cookie": self.cookie, "Sec-Fetch-Site": "same-origin"})

    def _send(self, method: str, address: str, headers: dict[str, str]) -> bytes:
        connection = HTTPConnection(self.host, timeout=30)
        connection.request(method, address, headers=headers)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        assert response.status in {200, 204}, f"{address} answered {response.status}: {body[:400]!r}"
        return body


async def _ask(tx: Tx) -> UUID | None:
    """Ask with an event, as the block that a question is about has one: pages follow the events."""
    await append_event(tx, stream=new_id(), kind="task.blocked", actor="worker:bench")
    return await ask_founder(
        tx,
        kind="clarification",
        mission_id=None,
        task_id=None,
        question="Which of the two?",
        options=["continue"],
        place=(str(new_id()),),
    )


@contextmanager
def served_home(workspace: Workspace, urls: Urls) -> Iterator[dict[str, str]]:
    """Yield the environment of a program over this database, with a home of its own."""
    with workspace.folder("home") as home:
        yield {
            **workspace.environment,
            "FRASIER_HOME": str(home),
            "FRASIER_DATABASE_URL": urls.app,
            "FRASIER_DATABASE__OWNER_URL": urls.owner,
        }


def fill(environment: dict[str, str], urls: Urls, sizes: Sizes) -> tuple[UUID, PageDataset]:
    """Run a mission and copy it; add a board, tasks and events. Return the mission and what there is."""
    sources = Path(environment["FRASIER_HOME"]) / "sources"
    sources.mkdir()
    (sources / "tea.md").write_text(
        "# Tea\n\nGreen tea is brewed with water of 75 degrees for two minutes.\n"
    )
    (sources / "coffee.md").write_text(
        "# Coffee\n\nCoffee is brewed with water of 94 degrees for four minutes.\n"
    )
    out = str(sources.parent / "out")
    run_program([*FRASIER, "run", "Compare the drinks", "--sources", str(sources), "--out", out], environment)
    with psycopg.connect(urls.owner) as connection:
        found = connection.execute("select id from org_missions").fetchone()
    assert found is not None
    task = asyncio.run(_create_board(urls.app))
    copy_board_task(urls.owner, task, copies=sizes.page_tasks - 1)
    dataset = copy_mission(urls.owner, found[0], copies=sizes.page_missions - 1, events=sizes.page_events)
    return found[0], dataset


async def _create_board(url: str) -> UUID:
    async with Database(url, connections=2) as database, database.transaction() as tx:
        board = await make_board(tx, _BOARD, actor=FOUNDER)
        new = NewBoardTask(
            process="pdsa_task",
            slug="task",
            title="A task of the board",
            fields={"description": "What is wanted, and why.", "acceptance_criteria": ["One sees it."]},
        )
        return (await add_task(tx, board, new, actor=FOUNDER)).id


@asynccontextmanager
async def serving(environment: dict[str, str], urls: Urls) -> AsyncIterator[PageServer]:
    """Run `frasier serve` with a session; check that it then stops on SIGTERM."""
    with subprocess.Popen(  # noqa: ASYNC220  nothing else runs before it serves
        [*FRASIER, "serve", "--port", "0"], env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr is not None
            found = (re.search(r"http://([^/]+)/login", line) for line in process.stderr)
            host = next(matched[1] for matched in found if matched)
            async with Database(urls.app, connections=2) as database:
                yield PageServer(host, process.pid, await _open_session(database, host), database)
            process.terminate()
            assert process.wait(_STOP_S_MAX) == 0, "`frasier serve` did not end in order"
        finally:
            process.kill()


def free_port() -> int:
    """Return a port of loopback that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def wait_until_served(port: int) -> None:
    """Wait until a port of loopback answers: a busy machine serves the page long after it says that it is up."""
    deadline = time.monotonic() + _SERVED_S_MAX
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


async def log_in(urls: Urls, host: str, pid: int) -> PageServer:
    """Open a session at a program that serves already."""
    async with Database(urls.app, connections=2) as database:
        return PageServer(host, pid, await _open_session(database, host), database)


async def _open_session(database: Database, host: str) -> str:
    """Open a session; return its cookie."""
    async with database.transaction() as tx:
        secret = await issue_login_link(tx)
    connection = HTTPConnection(host, timeout=30)
    connection.request("GET", f"/login?token={secret}")
    response = connection.getresponse()
    cookie = str(response.getheader("Set-Cookie")).partition(";")[0]
    connection.close()
    return cookie
