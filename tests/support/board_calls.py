"""Tool calls in separate processes, which may be killed within a call, without starting a Python for each.

A parent that has imported everything forks a process for each call. `CallStart` is the side of the test, `_serve` that
of the parent. A child runs `_call`: it opens the database, the memory and the board as a server does, authenticates the
caller by the token, and calls the tool.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

from pydantic import SecretStr

import frasier
from frasier.board import BoardEngine
from frasier.board.external_memory.factory import make_external_memory
from frasier.board.external_memory.settings import ExternalMemorySettings
from frasier.interfaces.advice import ToolCalls
from frasier.interfaces.operations import OperationContext
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.kernel.errors import FrasierError
from frasier.memory import open_engine, verify_token
from frasier.store import Database
from support.call_tool import call_tool
from support.memory_client import NO_VECTORS
from support.team import NotificationRecorder, StubLinkChecker

SOURCE = Path(frasier.__file__).resolve().parents[1]
TESTS = Path(__file__).resolve().parents[1]


class CallStart:
    """The side of the test."""

    def __init__(self) -> None:
        self._parent = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "support.board_calls"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": f"{SOURCE}:{TESTS}"},
        )

    async def __call__(
        self, url: str, token: str, tool: str, arguments: dict[str, Any], *, fault: str = "", brain: str = ""
    ) -> int:
        """Call a tool and return the exit code of its process: 0 if the tool answered, negative for a signal."""
        request = {
            "url": url,
            "token": token,
            "tool": tool,
            "arguments": arguments,
            "fault": fault,
            "brain": brain,
        }
        return int(await asyncio.to_thread(self._tell, json.dumps(request, default=str)))

    def _tell(self, line: str) -> str:
        self._parent.stdin.write(line + "\n")
        self._parent.stdin.flush()
        return self._parent.stdout.readline()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._parent.stdin.close()
        self._parent.wait()
        self._parent.stdout.close()


def _serve() -> None:
    importlib.import_module("frasier.board.external_memory.http_client")
    importlib.import_module("frasier.memory.sessions")
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            sys.exit(_call(**json.loads(line)))
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _call(url: str, token: str, tool: str, arguments: dict[str, Any], fault: str, brain: str) -> int:
    os.environ["FRASIER_FAULT"] = fault
    importlib.reload(sys.modules["frasier.kernel.fault_points"])  # FRASIER_FAULT is read once, at import
    try:
        asyncio.run(_ask(url, token, tool, arguments, brain))
    except FrasierError as error:
        print(error.as_dict(), file=sys.stderr)
        return 1
    return 0


async def _ask(url: str, token: str, tool: str, arguments: dict[str, Any], brain: str) -> None:

    memory_service = make_external_memory(
        ExternalMemorySettings(url=brain, token=SecretStr("frasier_sk-" + "a" * 43))
    )
    async with Database(url, connections=2) as db, open_engine(db, NO_VECTORS, owner_url=url) as engine:
        async with db.transaction() as tx:
            caller = await verify_token(tx, token)
        board = BoardEngine(
            database=db,
            links=StubLinkChecker(),
            direct_url=url,
            notify_founder=NotificationRecorder(),
            external_memory=memory_service,
        )
        context = OperationContext(engine=engine, caller=caller, dialect=ToolCalls(), board=board)
        await call_tool({**TASK_OPERATIONS, **MEMORY_OPERATIONS}, context, tool, arguments)


if __name__ == "__main__":
    _serve()
