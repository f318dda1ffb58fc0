"""A program that opens connections and sends no request: `idle_clients.py HOST PORT COUNT [BYTES]`.

It reports the state of its connections when its standard input ends.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def idle_clients(
    host: str, port: int, count: int, *, processes: int, sent: str = ""
) -> Iterator[list[subprocess.Popen[str]]]:
    """Run processes that open `count` connections in total, as fast as they can, and hold them while the body runs."""
    command = [sys.executable, str(Path(__file__)), host, str(port), str(count // processes), sent]
    clients = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(processes)
    ]
    try:
        yield clients
    finally:
        for client in clients:
            client.kill()
            client.communicate()


def _main(host: str, port: int, count: int, sent: str) -> None:
    held = []
    print("opening", flush=True)
    for _ in range(count):
        try:
            connection = socket.create_connection((host, port), timeout=2)
            if sent:
                connection.sendall(sent.encode())
            held.append(connection)
        except OSError:
            continue
    print(f"opened {len(held)}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    _main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
