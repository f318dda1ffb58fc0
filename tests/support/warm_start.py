"""Start of the program in separate processes, without its second of imports each time.

A parent that has imported everything forks a process for each start; the child then is the program: its own
arguments, environment, folder, files, signals and exit code. `WarmStart` is the side of the test, `_serve` that of the
parent.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Self, TextIO

import typer

import frasier

SOURCE = Path(frasier.__file__).resolve().parents[1]
DEADLINE_S = 60.0
_PAUSE_MS = 50
_NOTHING = Path(os.devnull)
_ANYWHERE = Path("/")
_MODULES = (
    "frasier.app",
    "frasier.settings",
    "frasier.interfaces.cli.live_view",
    "frasier.interfaces.cli.run_result",
    "frasier.interfaces.cli.output",
    "frasier.interfaces.cli.waiting",
    "frasier.interfaces.publish",
    "frasier.interfaces.services",
    "frasier.heartbeat",
    "frasier.llm.providers.openai_compatible",
    "frasier.llm.providers.rehearsal.provider",
    "frasier.work.research.web",
    "frasier.store.embedded",
    "frasier.interfaces.mcp",
    "frasier.interfaces.http",
    "frasier.interfaces.operations.tasks",
    "frasier.interfaces.cli.serve",
    "frasier.memory.embedding.factory",
    "frasier.memory.rerankers.factory",
    "frasier.memory.vectors.postgres",
    "httpcore2",
    "anyio._backends._asyncio",
)


class WarmStart:
    """The side of the test. `wait` blocks until a process has stopped or ended, at most DEADLINE_S."""

    def __init__(self) -> None:
        self._telling = threading.Lock()
        self._parent = subprocess.Popen(
            [sys.executable, "-W", "error", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE)},
        )

    def start(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        *,
        out: Path,
        err: Path,
        given: Path = _NOTHING,
        folder: Path = _ANYWHERE,
    ) -> int:
        """Start `frasier ARGUMENTS` with exactly this environment and `given` as its standard input; return its id."""
        files = {"given": str(given), "out": str(out), "err": str(err)}
        started = self._tell(
            do="start", arguments=arguments, environment=environment, folder=str(folder), files=files
        )
        return int(started)

    def wait(self, pid: int) -> int | None:
        """Return the exit code, negative for a signal; None if the process has stopped itself."""
        answer = self._tell(do="look", pid=pid)
        if answer == "running":
            with os.fdopen(os.pidfd_open(pid)) as process:
                answer = self._wait_for(pid, process.fileno())
        return None if answer == "stopped" else int(answer)

    def _wait_for(self, pid: int, process: int) -> int | str:
        """Wait for an open process: its end is told at once, that it has stopped is seen at the next look."""
        told = select.poll()
        told.register(process, select.POLLIN)
        deadline = time.monotonic() + DEADLINE_S
        while (answer := self._tell(do="look", pid=pid)) == "running":
            assert time.monotonic() < deadline, f"{pid} neither stopped nor ended within {DEADLINE_S:.0f} s"
            told.poll(_PAUSE_MS)
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._parent.stdin.close()
        self._parent.wait()
        self._parent.stdout.close()

    def _tell(self, **request: Any) -> Any:
        with self._telling:
            self._parent.stdin.write(json.dumps(request) + "\n")
            self._parent.stdin.flush()
            return json.loads(self._parent.stdout.readline())


@cache
def warm_start() -> WarmStart:
    """Return the starter of this test process; its parent ends with it."""
    starter = WarmStart()
    atexit.register(starter.__exit__)
    return starter


def _prepare() -> None:
    """Build once what each start of the program builds alike."""
    for module in _MODULES:
        importlib.import_module(module)
    loaded = 0
    while loaded < len(sys.modules):  # what facades load on first use
        loaded = len(sys.modules)
        for facade in [module for name, module in sys.modules.items() if name.startswith("frasier.")]:
            for name in dir(facade):
                getattr(facade, name, None)
    program = sys.modules["frasier.interfaces.cli.program"]
    program.cli = typer.main.get_command(program.cli)
    for name in program.cli.commands:
        program.cli.commands[name]
    sys.modules["frasier.workflow"].processes()
    # At its end a process looks through all that it holds for what can go; a child would copy all of it for that.
    gc.freeze()


def _serve() -> None:
    _prepare()
    started: set[int] = set()
    try:
        for line in sys.stdin:
            request = json.loads(line)
            if request.pop("do") == "start":
                streams = _streams(**request.pop("files"))
                pid = os.fork()
                if pid == 0:
                    started.clear()
                    _become_the_program(streams, **request)
                for descriptor in streams:
                    os.close(descriptor)
                started.add(pid)
                answer: int | str = pid
            else:
                answer = _poll_process(request["pid"])
                if isinstance(answer, int):
                    started.discard(request["pid"])
            print(json.dumps(answer), flush=True)
    finally:
        for pid in started:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _streams(given: str, out: str, err: str) -> list[int]:
    """Open the three files before the start is answered: a terminal without a writer reads as closed."""
    written = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOCTTY
    return [
        os.open(given, os.O_RDONLY | os.O_NOCTTY),
        *(os.open(name, written, 0o644) for name in (out, err)),
    ]


def _become_the_program(
    streams: list[int], arguments: list[str], environment: dict[str, str], folder: str
) -> None:
    os.chdir(folder)
    for descriptor, opened in enumerate(streams):
        os.dup2(opened, descriptor)
        os.close(opened)
    for name in ("stdin", "stdout", "stderr"):
        setattr(sys, name, _reopen(getattr(sys, name)))
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["frasier", *arguments]
    importlib.reload(sys.modules["frasier.kernel.fault_points"])  # FRASIER_FAULT is read once, at import
    sys.modules["frasier.app"].main()
    sys.exit(0)


def _reopen(stream: TextIO) -> TextIO:
    """Reopen a stream as in a new process: its buffering and seeking depend on the file."""
    buffering = 1 if stream is sys.stderr else -1
    return open(stream.fileno(), stream.mode, buffering, stream.encoding, stream.errors, closefd=False)


def _poll_process(pid: int) -> int | str:
    found, status = os.waitpid(pid, os.WNOHANG | os.WUNTRACED)
    if not found:
        return "running"
    return "stopped" if os.WIFSTOPPED(status) else os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    _serve()
