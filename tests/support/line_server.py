"""A server over pipes, that a test sends any line, and that answers each before the next."""

from __future__ import annotations

import json
import subprocess
from itertools import count
from typing import Any

from support.cli import DEADLINE_S

HELLO = {
    "jsonrpc": "2.0",
    "id": "hello",
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class LineServer:
    """The program over pipes. `ask` sends a line and a ping behind it, and gives what was answered before the ping."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._pings = count()
        assert self.ask(json.dumps(HELLO).encode())[0]["id"] == "hello"
        assert self.ask(json.dumps(READY).encode()) == []

    def ask(self, *lines: bytes, more: int = 0) -> list[dict[str, Any]]:
        """All answers that came before that to the ping, and as many behind it as there may still be."""
        ping = f"ping-{next(self._pings)}"
        self._send(*lines, json.dumps({"jsonrpc": "2.0", "id": ping, "method": "ping"}).encode())
        answers: list[dict[str, Any]] = []
        ponged = False
        while not ponged or len(answers) < more:
            line = self._process.stdout.readline()
            assert line, self._process.stderr.read()
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0"
            if message.get("id") == ping:
                assert message["result"] == {}
                ponged = True
            else:
                answers.append(message)
        return answers

    def _send(self, *lines: bytes) -> None:
        self._process.stdin.write(b"\n".join(lines) + b"\n")
        self._process.stdin.flush()

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        params = {"name": tool, "arguments": arguments}
        asked = {"jsonrpc": "2.0", "id": "call", "method": "tools/call", "params": params}
        [answer] = self.ask(json.dumps(asked).encode(), more=1)
        said: dict[str, Any] = answer["result"]["structuredContent"]
        return said

    def end(self) -> str:
        """Closes its input, waits for its end, and gives what it said on standard error."""
        out, errors = self._process.communicate(timeout=DEADLINE_S)
        assert (self._process.returncode, out) == (0, b""), errors
        return errors.decode("utf-8", "replace")
