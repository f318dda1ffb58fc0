"""A task of the pdsa board on its whole way, and the board over real HTTP.

async for stop in walk(team, script):
    ...checks in that position
"""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from frasier.board import DeclaredCommand, add_member, declare_command, get_board, switch_command
from frasier.interfaces.http import make_app
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.memory import issue_token
from frasier.workflow import FOUNDER
from support.board_team import BOARD, DESIGN, Team, completion_fields
from support.cli import DEADLINE_S, FrasierProgram
from support.team import liaison_answers

BASE = "http://127.0.0.1:8764"
PASSES = "print('3 passed in 0.01s')"
FAILS = "print('2 passed, 1 failed in 0.01s'); raise SystemExit(1)"


@dataclass(frozen=True)
class Stop:
    """A position of a task on its way; `attempt` and `holder` if somebody holds it."""

    task: str
    status: str
    role: str
    holder: str = ""
    attempt: int | None = None

    @property
    def held(self) -> dict[str, Any]:
        """The arguments that the holder must pass to every call."""
        return {} if self.attempt is None else {"attempt": self.attempt}


async def declare_tests(team: Team, folder: Path, program: str = PASSES, name: str = "unit") -> None:
    """Declare and enable the command `unit`, or another, that runs `program`."""
    script = folder / f"{name}.py"
    script.write_text(program)
    command = DeclaredCommand(
        name=name,
        arguments=(sys.executable, str(script)),
        folder=folder.resolve(),
        timeout_s=30,
        memory_mb=512,
    )
    async with team.board.database.transaction() as tx:
        board = await get_board(tx, BOARD)
        await declare_command(tx, board.id, command, actor=FOUNDER)
        await switch_command(tx, board.id, name, enabled=True, actor=FOUNDER)


async def create_reviewed_task(team: Team, folder: Path, task: str = "tea") -> str:
    """Create a task that only waits for its completion."""
    await team.built(task)
    await declare_tests(team, folder)
    await team("quinn", "task_check", task=task, command="unit")
    await team(
        "quinn", "task_move", task=task, move="pass_tests", fields={"qa_review": f"All green in {task}."}
    )
    await team(
        "anna", "task_move", task=task, move="pass_design", fields={"pdsa_review": f"{task} is as designed."}
    )
    return task


def completion_move(task: str = "tea") -> dict[str, Any]:
    """Return the move that completes such a task."""
    return {
        "task": task,
        "move": "complete",
        "fields": {**completion_fields(task), **liaison_answers(task, "complete")},
    }


async def walk(team: Team, folder: Path, task: str = "tea") -> AsyncIterator[Stop]:
    """Move a new task through every position, to its end and back into rework; yield each."""

    async def at(holder: str = "", attempt: int | None = None) -> Stop:
        return Stop(task, *await team.place(task), holder, attempt)

    async def moved(who: str, move: str, **fields: Any) -> Stop:
        await team(who, "task_move", task=task, move=move, fields=fields)
        return await at()

    await team.create(task)
    yield await at()
    yield await moved("lia", "ready", depends_on_reviewed=True)
    attempt = await team.claim("anna", task)
    yield await at("anna", attempt)
    await team.deliver("anna", task, attempt, pdsa_ref=DESIGN)
    yield await at()
    await team.approve(task)
    yield await at()
    attempt = await team.claim("quinn", task)
    yield await at("quinn", attempt)
    tests = {"qa_tests": "tests/test_kettle.py"}
    await team("quinn", "task_deliver", task=task, attempt=attempt, fields=tests)
    yield await at()
    yield await moved("quinn", "hand_over")
    attempt = await team.claim("dan", task)
    yield await at("dan", attempt)
    await team.deliver("dan", task, attempt, implementation="src/kettle.py")
    yield await at()
    await declare_tests(team, folder)
    await team("quinn", "task_check", task=task, command="unit")
    yield await moved("quinn", "pass_tests", qa_review="All green.")
    yield await moved("anna", "pass_design", pdsa_review="As designed.")
    await team("lia", "task_move", **completion_move(task))
    yield await at()
    yield await moved("lia", "reopen", rework_reason="It leaks after all.", rework_target_role="dev")


@dataclass(frozen=True)
class HttpBoard:
    """The board over HTTP, with a token in each request."""

    team: Team
    client: httpx2.AsyncClient

    async def __call__(self, token: str, tool: str, **arguments: Any) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return await self.client.post(f"/api/v1/tools/{tool}", json=arguments, headers=headers)

    async def token(self, name: str, role: str = "", *, founder: bool = False) -> str:
        """Create a token; of a member if a role is given."""
        async with self.team.board.database.transaction() as tx:
            token = await issue_token(tx, name, ["shared", f"board:{BOARD}"], founder=founder)
            if role:
                await add_member(tx, name, [role], [BOARD], actor=FOUNDER)
        return token


@asynccontextmanager
async def open_http_board(team: Team) -> AsyncIterator[HttpBoard]:
    """Open the HTTP application over the team's own board."""
    app = make_app(team.engine, {**TASK_OPERATIONS, **MEMORY_OPERATIONS}, board=team.board)
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url=BASE) as client:
        yield HttpBoard(team, client)


@contextmanager
def serving(frasier: FrasierProgram) -> Iterator[tuple[str, str]]:
    """Run `frasier serve`; yield its address, with a slash at the end, and its output until then."""
    without = {"FRASIER_MEMORY__EMBEDDING__PROVIDER": "none"}
    with frasier.running("serve", "--port", "0", **without) as process:
        said = ""
        while "served at http" not in said:
            line = process.stderr.readline()
            assert line, f"the program ended: {said}"
            said += line
        yield re.findall(r"http://\S+", said)[-1] + "/", said
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=DEADLINE_S)
        assert process.returncode == 0
