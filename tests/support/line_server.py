"""A server over pipes that accepts any line; each answer is read before the next line is sent."""

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
    """The program over pipes. `ask` sends a line and a ping, and returns the answers before that to the ping."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._pings = count()
        assert self.ask(json.dumps(HELLO).encode())[0]["id"] == "hello"
        assert self.ask(json.dumps(READY).encode()) == []

    def ask(self, *lines: bytes, more: int = 0) -> list[dict[str, Any]]:
        """Return all answers before that to the ping, and as many after it as may still arrive."""
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
        request = {"jsonrpc": "2.0", "id": "call", "method": "tools/call", "params": params}
        [answer] = self.ask(json.dumps(request).encode(), more=1)
        content: dict[str, Any] = answer["result"]["structuredContent"]
        return content

    def end(self) -> str:
        """Close the input, wait for the end, and return standard error."""
        out, errors = self._process.communicate(timeout=DEADLINE_S)
        assert (self._process.returncode, out) == (0, b""), errors
        return errors.decode("utf-8", "replace")
