"""Programs that serve the founder's page, for tests in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from support.cli import FrasierProgram
from support.model_responder import Answer
from support.page_program import read_link
from support.scripted_founder import ScriptedFounder, scripted_founder


@contextmanager
def serving(frasier: FrasierProgram, *command: str, **environment: str) -> Iterator[str]:
    """Run a command that serves the page; yield its login link."""
    with frasier.running(*command, "--port", "0", **environment) as process:
        yield read_link(process)


@contextmanager
def at_work(frasier: FrasierProgram, **answers: Answer) -> Iterator[tuple[ScriptedFounder, str]]:
    """Run `frasier up` over a scripted model; yield the founder of its commands and a login link."""
    with (
        scripted_founder(frasier, **answers) as founder,
        serving(frasier, "up", **{**founder.settings, "FRASIER_WORKER__CONCURRENCY": "3"}) as link,
    ):
        yield founder, link
