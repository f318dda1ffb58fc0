"""The real `frasier` program as a separate process, in an isolated home."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from support.warm_start import warm_start

SOURCE = Path(__file__).resolve().parents[2] / "src"
DEADLINE_S = 60
_REDRAWN = re.compile(r"(?:\x1b\[1A\x1b\[2K)+")
_STYLES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """The result of a run of the program."""

    code: int
    out: str
    err: str


class Terminal:
    """The output of a program on a terminal; `drawn` is all of it."""

    def __init__(self, screen: int) -> None:
        self._screen = screen
        self._bytes = b""

    @property
    def drawn(self) -> str:
        return self._bytes.decode("utf-8", "replace").replace("\r\n", "\n")

    def screen(self) -> str:
        """Return what stood on the screen when it was last drawn whole, without its colours."""
        return _STYLES.sub("", _REDRAWN.split(self.drawn)[-2])

    def enter(self, line: str) -> None:
        """Type a line."""
        os.write(self._screen, f"{line}\n".encode())

    def read_to_end(self) -> str:
        with suppress(OSError):  # a terminal whose last writer has gone reads as an error
            while piece := os.read(self._screen, 65_536):
                self._bytes += piece
        return self.drawn

    def read_until(self, pattern: str) -> re.Match[str]:
        """Read until the new output, without its colours, matches `pattern`; return the match."""
        before, deadline = len(self._bytes), time.monotonic() + DEADLINE_S
        while True:
            assert select.select([self._screen], [], [], deadline - time.monotonic())[0], self.drawn
            self._bytes += os.read(self._screen, 65_536)
            drawn = self._bytes[before:].decode("utf-8", "replace").replace("\r\n", "\n")
            if matched := re.search(pattern, _STYLES.sub("", drawn)):
                return matched


class FrasierProgram:
    """The `frasier` program with an isolated home, over the database of the test or an embedded one in that home.

    A command that runs to its end over the database of the test, or on a terminal, is started warm (see warm_start);
    anything else is started as people do.
    """

    def __init__(self, home: Path, database_url: str | None) -> None:
        self.home = home
        self._warm = database_url is not None
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "FRASIER_HOME": str(home),
            "PYTHONPATH": str(SOURCE),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONWARNINGS": "error",
            "TERM": "xterm",
            **({"FRASIER_DATABASE_URL": database_url} if database_url else {}),
        }

    def __call__(self, *arguments: str, code: int = 0, given: str = "", **environment: str) -> ProgramResult:
        """Run a command to its end and check its exit code."""
        ended = self.ended(*arguments, given=given, **environment)
        assert ended.code == code, f"{arguments} ended with {ended.code}\n{ended.out}\n{ended.err}"
        return ended

    def ended(self, *arguments: str, given: str = "", **environment: str) -> ProgramResult:
        """Run a command to its end, whatever its exit code is."""
        at_start = any(name.startswith(("PYTHON", "FRASIER_FAULT")) for name in environment)
        run = self._run_warm if self._warm and not at_start else self._run
        return run(arguments, given, environment)

    def _run(self, arguments: tuple[str, ...], given: str, environment: dict[str, str]) -> ProgramResult:
        process = self.start(*arguments, given=given, **environment)
        try:
            out, err = process.communicate(timeout=DEADLINE_S)
        except BaseException:
            process.kill()
            raise
        return ProgramResult(process.returncode, out, err)

    def _run_warm(self, arguments: tuple[str, ...], given: str, environment: dict[str, str]) -> ProgramResult:
        with tempfile.TemporaryDirectory() as place:
            typed, out, err = (Path(place) / name for name in ("given", "out", "err"))
            typed.write_text(given, "utf-8")
            told = {**self._environment, **environment}
            pid = warm_start().start(arguments, told, given=typed, out=out, err=err, folder=self.home)
            code = warm_start().wait(pid)
            assert code is not None, f"{arguments} stopped itself"
            return ProgramResult(code, out.read_text("utf-8"), err.read_text("utf-8"))

    def json(self, *arguments: str, code: int = 0, given: str = "", **environment: str) -> Any:
        """Run a command with --json; check that standard output is one document and nothing else."""
        ended = self(*arguments, "--json", code=code, given=given, **environment)
        assert ended.out.count("\n") == 1, ended.out
        return json.loads(ended.out)

    def start(self, *arguments: str, given: str = "", **environment: str) -> subprocess.Popen[str]:
        """Start a long-running command with `given` as its standard input; the caller ends it."""
        with tempfile.TemporaryFile("w+", encoding="utf-8") as typed:
            typed.write(given)
            typed.seek(0)
            return self._start(typed, arguments, environment)

    def _start(
        self, typed: IO[str], arguments: tuple[str, ...], environment: dict[str, str]
    ) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "frasier", *arguments],
            stdin=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=self.home,
            env={**self._environment, **environment},
        )

    @contextmanager
    def running(self, *arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
        """Run a command while the body runs, and kill it if it is still alive; print its output on failure."""
        process = self.start(*arguments, **environment)
        try:
            yield process
        finally:
            process.kill()
            print(*process.communicate(), sep="\n")  # pytest shows it where the test fails

    def on_terminal(self, *arguments: str, columns: int, **environment: str) -> str:
        """Return the output of a command on a terminal of that width."""
        with self.at_terminal(*arguments, columns=columns, rows=50, **environment) as terminal:
            return terminal.read_to_end()

    @contextmanager
    def at_terminal(
        self, *arguments: str, columns: int, rows: int, code: int = 0, **environment: str
    ) -> Iterator[Terminal]:
        """Run a command on a terminal of that size; check that it ends with `code` on Ctrl-C after the body."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        screen = Path(os.ttyname(theirs))
        told = {**self._environment, **environment}
        pid = warm_start().start(arguments, told, given=screen, out=screen, err=screen, folder=self.home)
        os.close(theirs)
        terminal = Terminal(ours)
        try:
            yield terminal
        finally:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT)
            terminal.read_to_end()
            os.close(ours)
        assert warm_start().wait(pid) == code, terminal.drawn


def read_until(stream: Any, text: str) -> str:
    """Return the first line of the output of a running program that contains `text`; wait no longer than DEADLINE_S."""
    lines: list[str] = []

    def read() -> None:
        for line in stream:
            lines.append(line)
            if text in line:
                return

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    reader.join(DEADLINE_S)
    assert not reader.is_alive(), f"no {text!r} within {DEADLINE_S} s, but {lines}"
    assert any(text in line for line in lines), f"the program ended without {text!r}: {lines}"
    return lines[-1]
