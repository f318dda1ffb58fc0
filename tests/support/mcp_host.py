"""An MCP server over pipes as a host sees it: the real program, started by the test."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from support.cli import DEADLINE_S, FrasierProgram

WITHOUT_VECTORS = {"FRASIER_MEMORY__EMBEDDING__PROVIDER": "none"}


class HostedServer:
    """A server as its host sees it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def send(self, *messages: Any) -> None:
        lines = (one if isinstance(one, bytes) else json.dumps(one).encode() for one in messages)
        self.process.stdin.write(b"".join(line + b"\n" for line in lines))
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read()
        answered: dict[str, Any] = json.loads(line)
        return answered

    def ask(self, *messages: Any) -> dict[str, Any]:
        self.send(*messages)
        return self.answer()

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        params = {"name": tool, "arguments": arguments}
        result = self.ask({"jsonrpc": "2.0", "id": "call", "method": "tools/call", "params": params})[
            "result"
        ]
        payload: dict[str, Any] = json.loads(result["content"][0]["text"])
        assert result.get("isError", False) == ("code" in payload)
        return payload

    def end(self) -> tuple[int, str]:
        """Close the input and check that nothing more was sent to the host; return exit code and standard error."""
        out, errors = self.process.communicate(timeout=DEADLINE_S)
        assert out == b""
        return self.process.returncode, errors.decode()


@contextmanager
def hosted(frasier: FrasierProgram, *command: str, **environment: str) -> Iterator[HostedServer]:
    process = subprocess.Popen(
        [sys.executable, "-m", "frasier", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=frasier.home,
        env={**frasier._environment, **WITHOUT_VECTORS, **environment},
    )
    try:
        yield HostedServer(process)
    finally:
        process.kill()
        process.communicate()
