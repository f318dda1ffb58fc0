"""Duration of an HTTP request to the real `frasier serve`, on a kept-alive or a new connection."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection

from bench.figures import Figure, at_most, p50, p95
from bench.programs import FRASIER
from bench.sizes import Sizes
from bench.workspace import Urls, Workspace
from frasier.board import NewBoardTask, add_member, add_task, make_board
from frasier.memory import SHARED_SCOPE, issue_token
from frasier.store import Database
from frasier.workflow import FOUNDER

_TASKS = 60
_WARM_UP = 20
_STOP_S_MAX = 30.0
_GET = ("task_get", {"task": "task-7", "board": "bench"})
_LIST = ("task_list", {"board": "bench", "limit": 50})
_TASK = "/api/v1/tasks/bench%2Ftask-7"
_PAGE = "/api/v1/tasks?board=bench&limit=50"


def measure_http(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    """Measure requests of a member of a board with 60 tasks; each request verifies its token."""
    with workspace.database() as urls:
        token = asyncio.run(_create_board(urls.app))
        with _serve(workspace, urls) as address:
            kept_alive = HTTPConnection(address, timeout=10)
            get = _sample(sizes.requests, lambda: _call(kept_alive, token, *_GET))
            listing = _sample(sizes.requests, lambda: _call(kept_alive, token, *_LIST))
            resource = _sample(sizes.requests, lambda: _get_resource(kept_alive, token, _TASK))
            page = _sample(sizes.requests, lambda: _get_resource(kept_alive, token, _PAGE))
            kept_alive.close()
            new_connection = _sample(
                sizes.requests, lambda: _call(HTTPConnection(address, timeout=10), token, *_GET)
            )
    return [
        Figure(
            what="task get, kept-alive, p50",
            value=p50(get),
            unit="ms",
            target=at_most(5),
            detail=f"p95 {p95(get):.2f} ms, n = {len(get)}; the design wants 3 ms",
        ),
        Figure(
            what="list of 50 tasks, kept-alive, p95",
            value=p95(listing),
            unit="ms",
            target=at_most(15),
            detail=f"p50 {p50(listing):.2f} ms",
        ),
        Figure(
            what="GET a task, kept-alive, p50",
            value=p50(resource),
            unit="ms",
            target=at_most(3),
            detail=f"p95 {p95(resource):.2f} ms",
        ),
        Figure(
            what="GET a page of 50 tasks, kept-alive, p95",
            value=p95(page),
            unit="ms",
            target=at_most(15),
            detail=f"p50 {p50(page):.2f} ms",
        ),
        Figure(
            what="task get, a connection for each, p50",
            value=p50(new_connection),
            unit="ms",
            detail=f"p95 {p95(new_connection):.2f} ms",
        ),
    ]


async def _create_board(url: str) -> str:
    """Create a board with tasks; return the token of a member."""
    async with Database(url, connections=2) as database, database.transaction() as tx:
        board = await make_board(tx, "bench", actor=FOUNDER)
        token = await issue_token(tx, "ada", [SHARED_SCOPE])
        await add_member(tx, "ada", ["pdsa"], ["bench"], actor=FOUNDER)
        for number in range(_TASKS):
            new = NewBoardTask(
                process="pdsa_task",
                slug=f"task-{number}",
                title=f"Task number {number}",
                fields={"description": "What is wanted, and why.", "acceptance_criteria": ["One sees it."]},
            )
            await add_task(tx, board, new, actor=FOUNDER)
    return token


@contextmanager
def _serve(workspace: Workspace, urls: Urls) -> Iterator[str]:
    """Run a server and yield its host and port; check that it then stops on SIGTERM."""
    with workspace.folder("home") as home:
        environment = {
            **workspace.environment,
            "FRASIER_HOME": str(home),
            "FRASIER_DATABASE_URL": urls.app,
            "FRASIER_DATABASE__OWNER_URL": urls.owner,
        }
        with subprocess.Popen(
            [*FRASIER, "serve", "--port", "0"], env=environment, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                assert process.stderr is not None
                served = (re.search(r"served at http://([^/]+)/", line) for line in process.stderr)
                yield next(matched[1] for matched in served if matched)
                process.terminate()
                assert process.wait(_STOP_S_MAX) == 0, "`frasier serve` did not end in order"
            finally:
                process.kill()


def _call(connection: HTTPConnection, token: str, tool: str, arguments: dict[str, object]) -> None:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", f"/api/v1/tools/{tool}", json.dumps(arguments), headers)
    response = connection.getresponse()
    body = response.read()
    assert response.status == 200, body


def _get_resource(connection: HTTPConnection, token: str, path: str) -> None:
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
    response = connection.getresponse()
    body = response.read()
    assert response.status == 200, body


def _sample(count: int, request: Callable[[], None]) -> list[float]:
    """Return the milliseconds of each request, after a warm-up."""
    durations_ms = []
    for _ in range(_WARM_UP + count):
        started = time.perf_counter()
        request()
        durations_ms.append((time.perf_counter() - started) * 1_000)
    return durations_ms[_WARM_UP:]
