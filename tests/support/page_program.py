"""A process of the program that serves the page, with a browser that is logged in by the link that it prints."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2

from support.cli import FrasierProgram

LINK = re.compile(r"(http://[\w.:\[\]]+)/login\?token=(\S+)")


def read_link(process: subprocess.Popen[str]) -> str:
    """Return the login link that a server prints to standard error."""
    assert process.stderr is not None
    while not (found := LINK.search(line := process.stderr.readline())):
        assert line, "the server ended"
    return found[0]


@contextmanager
def browser_of(link: str) -> Iterator[httpx2.Client]:
    """Log in by a link."""
    address = link.partition("/login")[0]
    with httpx2.Client(base_url=address, follow_redirects=True, timeout=20) as client:
        assert client.get(link).status_code == 200
        yield client


@contextmanager
def serving_page(
    program: FrasierProgram, *command: str, **environment: str
) -> Iterator[tuple[subprocess.Popen[str], httpx2.Client]]:
    """Run a command that serves the page, by default `frasier serve`, and log in."""
    arguments = command or ("serve", "--port", "0")
    with program.running(*arguments, **environment) as process, browser_of(read_link(process)) as client:
        yield process, client
