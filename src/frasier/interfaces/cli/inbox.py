"""`frasier inbox` and `frasier decide`: what waits for the founder, and the founder's answer."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.opening import JsonOption, NoteOption, in_transaction

if TYPE_CHECKING:
    from frasier.board import Decision
    from frasier.interfaces.cli.present import Page
    from frasier.interfaces.services import Services
    from frasier.memory import TierProposal
    from frasier.org.governance import FounderQuestion
    from frasier.store import Tx

_ANNOUNCEMENTS = 10
_ID_CHARS_MIN = 4


def inbox(context: typer.Context, as_json: JsonOption = False) -> None:
    """Show what waits for you. Questions, decisions, files, blocks, effects in trouble, the latest announcements."""
    from frasier.interfaces.cli.present import print_json

    document = in_transaction(context, _read_inbox)
    if as_json:
        print_json(document)
    else:
        _draw_inbox(document).show()


def _enough_of_an_id(text: str) -> str:
    if len(text) < _ID_CHARS_MIN:
        raise typer.BadParameter(f"give at least {_ID_CHARS_MIN} characters of the id")
    return text


def decide(
    context: typer.Context,
    question: Annotated[
        str,
        typer.Argument(
            help="The id of a question, a board's decision or a file, or its end.", callback=_enough_of_an_id
        ),
    ],
    answer: Annotated[str, typer.Argument(help="One of the answers that `frasier inbox` shows.")],
    note: NoteOption = "",
    as_json: JsonOption = False,
) -> None:
    """Answer a question, or decide about a board's move or a file. The answer is recorded, and used once."""
    from frasier.interfaces.cli.present import print_json, write_out

    async def act(_services: Services, tx: Tx) -> dict[str, Any]:
        return await _decide(tx, question, answer, note)

    document = in_transaction(context, act)
    if as_json:
        print_json(document)
    else:
        write_out("\n".join(filter(None, (document["done"], document["next"]))) + "\n")


async def _decide(tx: Tx, text: str, answer: str, note: str) -> dict[str, Any]:
    """Answer whatever waits for the founder under that id: the inbox shows questions, decisions and files alike."""
    from frasier.board import named_decision
    from frasier.interfaces.cli.identity import who_acts
    from frasier.kernel.errors import InvalidInput, NotFound
    from frasier.memory import find_tier_proposal
    from frasier.org.governance import find_question

    question = decision = proposal = None
    with suppress(NotFound):
        question = await find_question(tx, text)
    with suppress(NotFound):
        decision = await named_decision(tx, text)
    with suppress(NotFound):
        proposal = await find_tier_proposal(tx, await who_acts(tx), text)
    if sum(found is not None for found in (question, decision, proposal)) > 1:
        raise InvalidInput(f"{text!r} fits several things that wait for you.", hint="Give more of the id.")
    if question:
        return await _answer_question(tx, question, answer, note)
    if decision:
        return await _answer_decision(tx, decision, answer, note)
    if proposal:
        return await _answer_proposal(tx, proposal, answer)
    raise NotFound(
        f"Nothing that waits has the id {text[:60]!r}.", hint="`frasier inbox` lists what is open."
    )


async def _answer_proposal(tx: Tx, proposal: TierProposal, answer: str) -> dict[str, Any]:
    from frasier.interfaces.cli.identity import who_acts
    from frasier.interfaces.memory_tools import tier_answer
    from frasier.kernel.errors import InvalidInput
    from frasier.memory import answer_tier_proposal

    if (said := answer.strip().lower()) not in {"yes", "no"}:
        raise InvalidInput(f"{answer[:60]!r} is no answer to this.", hint="It can be: yes, no.")
    await answer_tier_proposal(tx, await who_acts(tx), proposal, confirm=said == "yes")
    return {
        "file": proposal.path,
        "tier": proposal.tier,
        "answer": said,
        "done": tier_answer(proposal, confirm=said == "yes"),
        "next": "",
    }


async def _answer_decision(tx: Tx, decision: Decision, answer: str, note: str) -> dict[str, Any]:
    from frasier.board import actor_of, answer_decision
    from frasier.interfaces.cli.identity import who_acts
    from frasier.interfaces.cli.task.deciding import Answer
    from frasier.interfaces.task_tools import how_to_make
    from frasier.kernel.errors import InvalidInput

    if (said := answer.strip().lower()) not in set(Answer):
        raise InvalidInput(
            f"{answer[:60]!r} is no answer to this decision.", hint=f"It can be: {', '.join(Answer)}."
        )
    decided = await answer_decision(
        tx,
        str(decision.id),
        approve=said == Answer.APPROVE,
        comment=note,
        actor=await actor_of(tx, await who_acts(tx)),
    )
    return {
        "decision": decided.id,
        "task": decided.place,
        "move": decided.transition,
        "answer": said,
        "note": note,
        "done": f"{decided.transition} of {decided.place} is {decided.answer}.",
        "next": how_to_make(decided) if said == Answer.APPROVE else "",
    }


async def _answer_question(tx: Tx, question: FounderQuestion, answer: str, note: str) -> dict[str, Any]:
    from frasier.interfaces.cli.waiting import who_goes_on
    from frasier.org.planning import decide as carry_out
    from frasier.org.planning import get_mission

    done = await carry_out(tx, question, answer.strip().lower(), note=note)
    ended = question.mission_id is None or (await get_mission(tx, question.mission_id)).status.ended
    return {
        "question": question.id,
        "mission": question.mission_id,
        "answer": answer.strip().lower(),
        "note": note,
        "done": done,
        "next": "" if ended else await who_goes_on(tx, question.mission_id),
    }


async def _read_inbox(_services: Services, tx: Tx) -> dict[str, Any]:
    from frasier.board import blocked_tasks, open_outages
    from frasier.interfaces.advice import announcement_text
    from frasier.interfaces.cli.waiting import (
        blocked_as_dict,
        decisions_as_dicts,
        effect_as_dict,
        files_as_dicts,
        interrupted_as_dicts,
        question_as_dict,
    )
    from frasier.org.governance import open_questions
    from frasier.org.planning import standing_announcements
    from frasier.store import open_effects

    questions, blocked = await open_questions(tx), await blocked_tasks(tx)
    decisions, outages = await decisions_as_dicts(tx), await open_outages(tx)
    waiting = {
        "decision": {one["decision"] for one in decisions},
        "blocked": {one.id for one in blocked} | {one.mission_id for one in questions},
        "outage": {one.id for one in outages},
    }
    return {
        "questions": [question_as_dict(question) for question in questions],
        "decisions": decisions,
        **await files_as_dicts(tx),
        "blocked": [blocked_as_dict(one) for one in blocked],
        "interrupted": await interrupted_as_dicts(tx),
        "outages": [asdict(outage) for outage in outages],
        "effects": [effect_as_dict(effect) for effect in await open_effects(tx)],
        "announcements": [
            {"at": effect.created_at, **effect.payload, "text": announcement_text(effect.payload)}
            for effect in await standing_announcements(tx, waiting, limit=_ANNOUNCEMENTS)
        ],
    }


def _draw_inbox(document: dict[str, Any]) -> Page:
    from frasier.interfaces.cli.memory.scanning import draw_proposals, draw_unread_edits
    from frasier.interfaces.cli.present import Page, ago
    from frasier.interfaces.cli.task.decision_page import add_decisions
    from frasier.interfaces.cli.waiting import (
        add_blocks,
        add_effects,
        add_interrupted,
        add_questions,
        is_the_founders,
    )

    page = Page()
    asked_about = {question["task"] for question in document["questions"]}
    blocked = [one for one in document["blocked"] if one["task"] not in asked_about]
    own = [one for one in blocked if is_the_founders(one)]
    others = [one for one in blocked if one not in own]
    kinds = ("questions", "decisions", "files", "unread_files", "interrupted", "effects")
    if not (blocked or any(document[what] for what in kinds)):
        page.line("Nothing waits for you.")
    if document["questions"]:
        page.heading("Waiting for your answer")
        add_questions(page, document["questions"])
    if document["decisions"]:
        page.heading("Waiting for your decision")
        add_decisions(page, document["decisions"], decides=True)
    if document["files"] or document["unread_files"]:
        page.heading("Waiting for you to confirm")
        draw_proposals(page, document["files"], command="frasier decide {id} yes|no")
        draw_unread_edits(page, document["unread_files"])
    if own:
        page.heading("Waiting for you to act")
        add_blocks(page, own)
    if document["interrupted"]:
        page.heading("Waiting to go on")
        add_interrupted(page, document["interrupted"])
    if others:
        page.heading("Blocked until others act")
        add_blocks(page, others)
    if document["outages"]:
        page.heading("Out of order")
    for outage in document["outages"]:
        page.line(
            ("■ ", "bold red"), f"{outage['what']}: {outage['why']}", (f"  {ago(outage['began_at'])}", "dim")
        )
    if document["effects"]:
        page.heading("In trouble or in doubt")
        add_effects(page, document["effects"])
        page.line(("`frasier outbox resend` tries them again, at once.", "dim"))
    if document["announcements"]:
        page.heading("Latest announcements")
    for announcement in document["announcements"]:
        page.line((f"{ago(announcement['at'])}  ", "dim"), announcement["text"])
    return page
