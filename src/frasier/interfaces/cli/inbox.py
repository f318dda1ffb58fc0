"""`frasier inbox` and `frasier decide`: what waits for the founder, and the founder's answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.advice import announcement_text
from frasier.interfaces.cli.completion import complete_question
from frasier.interfaces.cli.output import Page, ago, show_done, show_view
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.waiting import (
    add_blocks,
    add_effects,
    add_interrupted,
    add_questions,
    how_to_go_on,
)
from frasier.interfaces.cli.with_services import JsonOption, NoteOption

if TYPE_CHECKING:
    from frasier.interfaces.operations.organisation.waiting import InboxOutput
    from frasier.interfaces.operations.organisation.waiting_answers import WaitingAnswerOutput

_ID_CHARS_MIN = 4


def inbox(context: typer.Context, as_json: JsonOption = False) -> None:
    """Show what waits for you. Questions, decisions, files, blocks, effects in trouble, the latest announcements."""
    from frasier.interfaces.operations.organisation.waiting import GET

    show_view(ask_organisation(context, GET, {}), _draw_inbox, _document, as_json=as_json)


def _enough_of_an_id(text: str) -> str:
    if len(text) < _ID_CHARS_MIN:
        raise typer.BadParameter(f"give at least {_ID_CHARS_MIN} characters of the id")
    return text


def decide(
    context: typer.Context,
    question: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION",
            help="The id of a question, a board's decision or a file, or its end.",
            callback=_enough_of_an_id,
            autocompletion=complete_question,
        ),
    ],
    answer: Annotated[
        str, typer.Argument(metavar="ANSWER", help="One of the answers that `frasier inbox` shows.")
    ],
    note: NoteOption = "",
    budget: Annotated[
        float | None,
        typer.Option(
            "--budget",
            min=0,
            help="Where a mission's budget is used up: the most it may cost in all, in US dollars. "
            "Without it what the question proposes.",
        ),
    ] = None,
    digest: Annotated[
        str,
        typer.Option(
            "--digest", help="The `digest` of the question as you read it; the answer holds for it alone."
        ),
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Answer a question, or decide about a move or a file. The answer is recorded, and used once."""
    from frasier.interfaces.operations.organisation.waiting_answers import DECIDE

    arguments = {"question": question, "answer": answer, "note": note, "budget": budget, "digest": digest}
    answered = ask_organisation(context, DECIDE, arguments)
    document = _answered(answered, note)
    show_done("\n".join(filter(None, (document["done"], document["next"]))), document, as_json=as_json)


def _answered(answered: WaitingAnswerOutput, note: str) -> dict[str, Any]:
    if answered.question:
        return {
            "question": answered.question,
            "mission": answered.mission,
            "answer": answered.answer,
            "note": note,
            "done": answered.done,
            "next": how_to_go_on(answered.mission) if answered.unattended else "",
        }
    if answered.decision:
        return {
            "decision": answered.decision,
            "task": answered.task,
            "move": answered.move,
            "answer": answered.answer,
            "note": note,
            "done": answered.done,
            "next": answered.then,
        }
    return {
        "file": answered.file,
        "tier": answered.tier,
        "answer": answered.answer,
        "done": answered.done,
        "next": "",
    }


def _document(view: InboxOutput) -> dict[str, Any]:
    """Return the document of the inbox; its announcements have their text as the founder reads it."""
    from frasier.interfaces.cli.document import document_of_waiting

    return document_of_waiting(view) | {
        "digest": [
            {
                "kind": one.kind,
                "days": one.days,
                "announcements": one.announcements,
                "last_at": one.last_at,
                "newest": [announcement_text(payload) for payload in one.newest],
            }
            for one in view.digest
        ],
        "announcements": [
            {"at": one.at, **one.payload, "text": announcement_text(one.payload)}
            for one in view.announcements
        ],
    }


def _draw_inbox(page: Page, view: InboxOutput) -> None:

    asked_about = {task for question in view.questions for task in question.tasks}
    blocked = [pause for pause in view.blocked if pause.task not in asked_about]
    own = [pause for pause in blocked if pause.is_the_founders]
    others = [pause for pause in blocked if pause not in own]
    others_kinds = (
        view.questions,
        view.decisions,
        view.files,
        view.unread_files,
        view.skills,
        view.interrupted,
        view.effects,
    )
    if not (blocked or any(others_kinds)):
        page.line("Nothing waits for you.")
    if view.questions:
        page.heading("Waiting for your answer")
        add_questions(page, view.questions)
    if view.decisions:
        _add_decisions(page, view)
    if view.files or view.unread_files:
        _add_files(page, view)
    for skill in view.skills:
        page.line(
            f"The skill {skill.skill} of a third party waits for {skill.waits_for}: ",
            (f"`frasier skills package {skill.skill}`", "cyan"),
        )
    if own:
        page.heading("Waiting for you to act")
        add_blocks(page, own)
    if view.interrupted:
        page.heading("Waiting to go on")
        add_interrupted(page, view.interrupted)
    if others:
        page.heading("Blocked until others act")
        add_blocks(page, others)
    _add_outages(page, view)
    if view.effects:
        page.heading("In trouble or in doubt")
        add_effects(page, view.effects)
        page.line(("`frasier outbox resend` tries them again, at once.", "dim"))
    _add_announcements(page, view)


def _add_outages(page: Page, view: InboxOutput) -> None:
    if view.outages:
        page.heading("Out of order")
    for outage in view.outages:
        page.line(("■ ", "bold red"), f"{outage.what}: {outage.why}", (f"  {ago(outage.began_at)}", "dim"))


def _add_announcements(page: Page, view: InboxOutput) -> None:
    from frasier.org.conversation import NOT_URGENT

    urgent = [one for one in view.announcements if one.payload["kind"] not in NOT_URGENT]
    if urgent:
        page.heading("Latest announcements")
    for announcement in urgent:
        page.line((f"{ago(announcement.at)}  ", "dim"), announcement_text(announcement.payload))
    if view.digest:
        page.heading(f"In the last {view.digest[0].days} days")
    for group in view.digest:
        if group.announcements > len(group.newest):
            page.line(
                (f"{ago(group.last_at)}  ", "dim"), f"{group.announcements} × {group.kind}; the newest:"
            )
        for payload in group.newest:
            page.line(
                (f"{ago(group.last_at)}  ", "dim") if group.announcements == 1 else "  ",
                announcement_text(payload),
            )


def _add_decisions(page: Page, view: InboxOutput) -> None:
    from frasier.interfaces.cli.task.decision_page import add_decisions

    page.heading("Waiting for your decision")
    add_decisions(page, view.decisions, decides=True)


def _add_files(page: Page, view: InboxOutput) -> None:
    from frasier.interfaces.cli.memory.file_tiers import draw_proposals, draw_unread_files

    page.heading("Waiting for you to confirm")
    draw_proposals(page, view.files, command="frasier decide {id} yes|no")
    draw_unread_files(page, view.unread_files)
