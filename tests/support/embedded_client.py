"""A process that uses an embedded server; tests send it commands, kill it, or let it end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

SOURCE = Path(__file__).resolve().parents[2] / "src"


class EmbeddedClient:
    """The driver of the process: one command per line in, one JSON object per line out."""

    def __init__(
        self,
        root: Path,
        settings: Mapping[str, str],
        *,
        uid: int | None = None,
        site: Path | None = None,
        **environment: str,
    ) -> None:
        path = os.pathsep.join(str(part) for part in (site, SOURCE) if part)
        self.process = subprocess.Popen(
            [sys.executable, __file__, str(root), json.dumps(settings), str(uid or "")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": path,
                "PYTHONDONTWRITEBYTECODE": "1",
                **environment,
            },
        )

    def tell(self, command: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def do(self, command: str) -> dict[str, Any]:
        """Run `command` and return its result: the pid of the server, or the code and message of the error."""
        self.tell(command)
        return self.answer()

    def kill(self) -> None:
        """Kill the process as `kill -9` does."""
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            pipe.close()


def _become(uid: int) -> None:
    """Drop root privileges after all imports: the interpreter may be in a folder that no other user can enter."""
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)


def _fork_and_release(release: Any) -> None:
    child = os.fork()
    if child == 0:
        release()
        os._exit(0)
    os.waitpid(child, 0)


def _serve_commands() -> None:
    import structlog

    from frasier.kernel.errors import FrasierError
    from frasier.store.embedded import EmbeddedServer

    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    if sys.argv[3]:
        _become(int(sys.argv[3]))
    server = EmbeddedServer(Path(sys.argv[1]), settings=json.loads(sys.argv[2]))
    commands = {
        "start": server.start,
        "ensure": server.ensure,
        "release": server.release,
        "fork": lambda: _fork_and_release(server.release),
    }
    for line in sys.stdin:
        try:
            commands[line.strip()]()
            answer: dict[str, Any] = {
                "pid": server.pid,
                "running": server.running,
                "url": server.url("postgres"),
            }
        except FrasierError as error:
            answer = error.as_dict()
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    _serve_commands()
