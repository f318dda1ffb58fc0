"""Starts the program in processes of its own, without its second of imports each time.

A parent that has imported everything forks a process for each start; the child then is the program: its own
arguments, environment, folder, files, signals and exit code. `WarmStart` is the test's end, `_serve` the parent's.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Self

import frasier

SOURCE = Path(frasier.__file__).resolve().parents[1]
DEADLINE_S = 60.0
_PAUSE_S = 0.005
_NOTHING = Path(os.devnull)
_ANYWHERE = Path("/")
_MODULES = (
    "frasier.app",
    "frasier.settings",
    "frasier.interfaces.cli.live",
    "frasier.interfaces.cli.memory.group",
    "frasier.interfaces.cli.outcome",
    "frasier.interfaces.publish",
    "frasier.interfaces.services",
    "frasier.heartbeat",
    "frasier.llm.providers.rehearsal",
    "frasier.work.research.web",
    "frasier.store.embedded",
    "frasier.interfaces.mcp",
    "frasier.interfaces.http",
    "frasier.interfaces.task_tools",
    "frasier.interfaces.cli.serving",
)


class WarmStart:
    """The test's end. `wait` blocks until a process has stopped or ended, at most DEADLINE_S."""

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
        """Starts `frasier ARGUMENTS` with exactly this environment, `given` as its standard input; returns its id."""
        files = {"given": str(given), "out": str(out), "err": str(err)}
        started = self._tell(
            do="start", arguments=arguments, environment=environment, folder=str(folder), files=files
        )
        return int(started)

    def wait(self, pid: int) -> int | None:
        """The exit code, negative for a signal; None where the process has stopped itself."""
        deadline = time.monotonic() + DEADLINE_S
        while (answer := self._tell(do="look", pid=pid)) == "running":
            assert time.monotonic() < deadline, f"{pid} neither stopped nor ended within {DEADLINE_S:.0f} s"
            time.sleep(_PAUSE_S)
        return None if answer == "stopped" else int(answer)

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
    """The one of this test process; its parent ends with it."""
    starter = WarmStart()
    atexit.register(starter.__exit__)
    return starter


def _serve() -> None:
    for module in _MODULES:
        importlib.import_module(module)
    started: set[int] = set()
    try:
        for line in sys.stdin:
            request = json.loads(line)
            if request.pop("do") == "start":
                pid = os.fork()
                if pid == 0:
                    started.clear()
                    _become_the_program(**request)
                started.add(pid)
                answer: int | str = pid
            else:
                answer = _look(request["pid"])
                if isinstance(answer, int):
                    started.discard(request["pid"])
            print(json.dumps(answer), flush=True)
    finally:
        for pid in started:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _become_the_program(
    arguments: list[str], environment: dict[str, str], folder: str, files: dict[str, str]
) -> None:
    os.chdir(folder)
    written = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for descriptor, (name, flags) in enumerate((("given", os.O_RDONLY), ("out", written), ("err", written))):
        os.dup2(os.open(files[name], flags, 0o644), descriptor)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["frasier", *arguments]
    importlib.reload(sys.modules["frasier.kernel.faults"])  # FRASIER_FAULT is read once, at import
    sys.modules["frasier.app"].main()
    sys.exit(0)


def _look(pid: int) -> int | str:
    found, status = os.waitpid(pid, os.WNOHANG | os.WUNTRACED)
    if not found:
        return "running"
    return "stopped" if os.WIFSTOPPED(status) else os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    _serve()
