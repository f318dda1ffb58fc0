"""The wait for the answer to a message, and how it is shown."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from frasier.interfaces.advice import CommandLine, render_hints
from frasier.interfaces.cli.directives import left_out_line
from frasier.interfaces.cli.errors import ExitCode
from frasier.interfaces.cli.output import short, write_out
from frasier.interfaces.cli.run_operation import call_organisation
from frasier.interfaces.cli.waiting import how_to_go_on
from frasier.kernel.advice import Advice
from frasier.kernel.text import strip_control

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable

    from frasier.interfaces.services import Services
    from frasier.org.conversation import FounderMessage
    from frasier.overview import AnswerProgress
    from frasier.work import OmittedRule

_EVERY_S = 0.2
_PHASES = {
    "links": "Reading what it needs",
    "context": "Asking the chief of staff",
    "classify": "Answering",
    "ask": "Checking the answer",
    "steer": "Checking the change",
}
"""The work that begins when a phase of an answer has ended, in words."""


async def have_answered(
    services: Services, store: Callable[[], Awaitable[FounderMessage]], *, heard: str
) -> tuple[dict[str, Any], int]:
    """Store a message and work until it is answered; return the document of the answer and the exit code.

    `heard` is said once the message is stored, empty for nothing.
    """
    from frasier.board import anybody_works
    from frasier.interfaces.cli.shutdown_signals import stop_on_signals
    from frasier.org.conversation import MessageIntent

    stop = stop_on_signals()
    services.check_settings()
    message = await store()
    # Before this process works itself.
    alone = not await services.in_transaction(anybody_works)
    if heard:
        typer.echo(f"{heard} `frasier answer {short(message.id)}` shows the answer again.", err=True)
    # Talk only: this process ends with the answer, and must not leave paid work of others half done.
    async with services.running(only="talk"):
        document, code = await _await_answer(services, message, stop, _Phases(quiet=not heard))
    goes_on = code == 0 and document["mission"] and message.intent in {MessageIntent.SAY, MessageIntent.STEER}
    if goes_on and alone:
        document["next"] = how_to_go_on(document["mission"])
    return document, code


class _Phases:
    """A line on the terminal for each phase of an answer that begins."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet or not sys.stderr.isatty()
        self._last = ""

    def __call__(self, phase: str) -> None:
        name = _PHASES.get(phase.partition("-")[0], "")
        if name and name != self._last and not self._quiet:
            typer.echo(f"{name} …", err=True)
        self._last = name or self._last


async def _await_answer(
    services: Services, message: FounderMessage, stop: asyncio.Event, show_phase: _Phases
) -> tuple[dict[str, Any], int]:
    from frasier.interfaces.cli.shutdown_signals import pause
    from frasier.interfaces.operations.organisation.messages import GET

    call = await call_organisation(services)
    while True:
        now = (await call(GET, {"message": str(message.id)})).data.message
        show_phase(now.phase)
        if (answer := answer_so_far(now)) is not None:
            return answer
        if await pause(stop, _EVERY_S):
            return unanswered(message, "Interrupted. The message is kept; `frasier up` answers it."), 130


def answer_so_far(now: AnswerProgress) -> tuple[dict[str, Any], int] | None:
    """Return the document of an answer, or of why there will be none, with the exit code; None while it is awaited."""
    if now.message.answered_at is not None:
        return _as_dict(now.message, rules_left_out=now.rules_left_out), 0
    if now.blocked:
        hint = f"The message is kept, but not answered yet: {now.blocked} `frasier inbox` shows what to do."
        return _as_dict(now.message, next_=hint), ExitCode.WAITS_FOR_FOUNDER
    if now.ended:
        hint = f"The message is kept, but it could not be answered: {now.ended}"
        return _as_dict(now.message, next_=hint), ExitCode.FAILED
    return None


def unanswered(message: FounderMessage, reason: str) -> dict[str, Any]:
    """Return the document of a message that has no answer yet, and why."""
    return _as_dict(message, next_=reason)


def _as_dict(
    message: FounderMessage, *, next_: str = "", rules_left_out: Sequence[OmittedRule] = ()
) -> dict[str, Any]:
    from frasier.interfaces.cli.document import document_of

    return {
        "message": message.id,
        "text": message.text,
        "classification": message.classification,
        "confidence": message.confidence,
        "reasoning": message.reasoning,
        "answer": message.answer,
        "hints": render_hints(map(Advice.from_dict, message.advice), CommandLine()),
        "mission": message.mission_id,
        "directives": message.directives,
        "rules_left_out": document_of(rules_left_out),
        "verification": message.verification.counts if message.verification else None,
        "next": next_,
    }


def show_answer(document: dict[str, Any]) -> None:
    """Show an answer to a person, with what could not be considered and what comes next."""
    for rule in document["rules_left_out"]:
        typer.echo(strip_control(left_out_line(rule["directive"], rule["text"], rule["tasks"])), err=True)
    if document["answer"]:
        write_out(strip_control("\n\n".join([document["answer"], *document["hints"]])) + "\n")
    if document["next"]:
        typer.echo(strip_control(document["next"]), err=True)
