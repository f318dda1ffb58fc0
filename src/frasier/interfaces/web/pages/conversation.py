"""Talk: the conversation with the chief of staff, and a form to say something, with files."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path

from frasier.board import anybody_works
from frasier.interfaces.deliverable_rendering import in_own_language
from frasier.interfaces.services import Services
from frasier.interfaces.web import page_operations
from frasier.interfaces.web.form import FILE_BYTES_MAX
from frasier.interfaces.web.founder import run_as_founder
from frasier.interfaces.web.page import (
    ActionRequest,
    ActionResult,
    FormAction,
    Fragment,
    PageContent,
    PageRequest,
    PageRoute,
)
from frasier.kernel.advice import Advice
from frasier.org.conversation import FounderMessage, said_messages
from frasier.overview import read_answer

_SHOWN = 20
_MICROS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """A message with its answer; `stopped` says why there is none and will be none until something is done."""

    message: FounderMessage
    stopped: str
    advice: tuple[Advice, ...]


async def _read(request: PageRequest) -> PageContent:
    services = request.services
    messages = await services.in_transaction(said_messages, limit=_SHOWN)
    turns = [await _turn(services, message) for message in messages]
    values = {"turns": turns, "attended": await services.in_transaction(anybody_works), "most": _SHOWN}
    form = {"sent": request.sent, "setup": services.setup, "file_mb": FILE_BYTES_MAX // _MICROS}
    return PageContent(
        title="Talk",
        fragments=(
            Fragment(id="talk-say", template="talk/form.html", values=form),
            Fragment(id="talk-turns", template="talk/turns.html", values=values),
        ),
    )


async def _turn(services: Services, message: FounderMessage) -> _Turn:
    if message.answered_at is not None:
        return _Turn(
            message=in_own_language(message), stopped="", advice=tuple(map(Advice.from_dict, message.advice))
        )
    now = await services.in_transaction(read_answer, str(message.id))
    advice = tuple(map(Advice.from_dict, now.message.advice))
    answered = now.message.answered_at is not None
    return _Turn(
        message=in_own_language(now.message),
        stopped="" if answered else now.blocked or now.ended,
        advice=advice,
    )


async def _say(request: ActionRequest) -> ActionResult:
    """Say something to the chief of staff, with the files that were sent."""
    services = request.services
    services.check_settings()
    with tempfile.TemporaryDirectory(prefix="frasier-documents-") as folder:
        files = await asyncio.to_thread(request.form.save_files, "files", Path(folder))
        await run_as_founder(
            services,
            page_operations.SAY,
            has_files=True,
            text=request.form.text("text"),
            attach=tuple(map(str, files)),
        )
    return ActionResult(text="Heard. The answer appears here.")


PAGES = (PageRoute(path="/talk", section="Talk", template="talk/page.html", read=_read),)
ACTIONS = (FormAction(path="/talk", act=_say, files=True),)
