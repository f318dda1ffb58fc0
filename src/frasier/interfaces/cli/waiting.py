"""The decisions and work that wait for the founder, as several screens show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from frasier.interfaces.advice import command_text, text_for_founder
from frasier.interfaces.cli.output import Cell, Page, ago, fixed, mark, short
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import person, plural
from frasier.kernel.text import shorten

if TYPE_CHECKING:
    from frasier.interfaces.operations.organisation.status import OrganisationStatusOutput
    from frasier.interfaces.operations.tasks.outputs import DecisionOutput
    from frasier.overview import (
        InterruptedMission,
        LatestMission,
        MissionProgress,
        MissionSummary,
        ModelTrouble,
        PausedTask,
        UnsettledEffect,
        WaitingQuestion,
    )

_QUESTION_CHARS = 600


def questions_of(progress: MissionProgress) -> list[str]:
    """Return the questions that only the founder can settle, as the founder reads them."""
    return [text_for_founder(question.text, advice_on(question)) for question in progress.waiting]


def advice_on(question: WaitingQuestion) -> tuple[Advice, ...]:
    """Return what the founder can do about a question; one that is answered in words names how."""
    if not question.asks_for_words:
        return question.advice
    answer = Advice("question.decide", to="answer", question=short(question.question), answer="ANSWER")
    return (*question.advice, answer)


def mission_marks(mission: LatestMission | MissionSummary) -> tuple[Cell, Cell, Cell]:
    """Return the cells of a mission's icon, id and status; one that waits for the founder says so instead."""
    name = short(mission.mission)
    if mission.waits_for_founder:
        return mark("blocked"), name, mark("blocked", "waits for you")
    degraded = ", degraded" if mission.degraded else ""
    return mark(mission.status), name, mark(mission.status, f"{mission.status}{degraded}")


def answers_to(question: WaitingQuestion) -> list[str]:
    """Return what can be answered; a question that asks for words has ANSWER in the place of the option to go on."""
    if question.budget_least_usd is not None:
        proposed = "USD" if question.budget_proposed_usd is None else f"{question.budget_proposed_usd:.6g}"
        return [f"{one} --budget {proposed}" if one == "continue" else one for one in question.options]
    if not question.asks_for_words:
        return list(question.options)
    return ["ANSWER", *(option for option in question.options if option != "continue")]


def trouble_text(trouble: ModelTrouble) -> str:
    """Return what a model's service says, that it is asked again, and what to do if that lasts."""
    advice = trouble.advice[:1].lower() + trouble.advice[1:]
    return f"{trouble.cause} It is asked again by itself; if this lasts: {advice}"


def add_questions(page: Page, questions: Sequence[WaitingQuestion]) -> None:
    """Add each question with the commands that answer it."""
    for question in questions:
        # How to answer in words stands in the line below.
        text = shorten(text_for_founder(question.text, question.advice), _QUESTION_CHARS)
        page.line(("■ ", "bold magenta"), text, (f"  {ago(question.asked_at)}", "dim"))
        answers = " | ".join(answers_to(question))
        page.prose(f"frasier decide {short(question.question)} {answers}")


def add_decisions(page: Page, decisions: Sequence[DecisionOutput]) -> None:
    """Add each decision in short; the inbox shows its subject."""
    for decision in decisions:
        page.line(
            ("■ ", "bold magenta"),
            f"{decision.move} of {decision.task} ({decision.title}), asked by {person(decision.asked_by)}",
            (f"  {ago(decision.asked_at)}", "dim"),
        )
    if decisions:
        page.prose("`frasier inbox` shows what each is about, and how to decide it.")


def add_files(page: Page, view: OrganisationStatusOutput) -> None:
    """Add the number of memory files that wait; the inbox names them."""
    for count, waiting in (
        (len(view.files), "to be confirmed in what they ask for"),
        (len(view.unread_files), "to be read: their memories bind everybody, and the files were changed"),
    ):
        if count:
            page.line(("■ ", "bold magenta"), f"{plural(count, 'memory file')} waiting {waiting}")
            page.prose("`frasier inbox` shows each, and what to do.")


def add_blocks(page: Page, blocks: Sequence[PausedTask]) -> None:
    """Add each pause with its reasons, the status to which the task returns, and the command that ends it."""
    from datetime import datetime

    for blocked in blocks:
        name = f"{blocked.board}/{blocked.slug} ({blocked.title})"
        for reason in blocked.reasons:
            since = datetime.fromisoformat(reason["at"]) if "at" in reason else blocked.blocked_at
            page.line(
                ("■ ", "bold magenta"),
                f"{name if blocked.board else blocked.title}: {reason['reason']} — {reason['owner']} must"
                f" {reason['action']}",
                (f"  {ago(since)}", "dim"),
            )
        role = f" with {blocked.was_role}" if blocked.board else ""
        page.prose(f"It was {blocked.was}{role}, and goes on there with: {command_text(blocked.ends_with)}")


def add_interrupted(page: Page, missions: Sequence[InterruptedMission]) -> None:
    """Add each mission that nobody works on, with the command that resumes it."""
    for mission in missions:
        page.line(("■ ", "bold magenta"), f"{mission.title} is not finished, and nobody works on it.")
        page.prose(command_text(mission.goes_on_with))


def add_effects(page: Page, effects: Sequence[UnsettledEffect]) -> None:
    """Add effects as a table, with their errors."""
    page.table(
        ["", fixed("effect"), fixed("kind"), "state", "mission", "tries", "begun", "error"],
        [
            (
                mark(effect.state),
                short(effect.effect),
                effect.kind,
                mark(effect.state, effect.state),
                short(effect.mission),
                str(effect.attempts),
                (ago(effect.created_at), "dim"),
                effect.error or "",
            )
            for effect in effects
        ],
    )


def add_troubles(page: Page, effects: Sequence[UnsettledEffect], *, of: int) -> None:
    """Add the cause of each effect in trouble, `of` so many, and the command that tries them again."""
    for effect in effects:
        page.line((f"■ {effect.kind}: {effect.error or effect.state}", "yellow"))
    if of:
        page.line(
            (
                (
                    f"{plural(of, 'effect')} in trouble or in doubt: `frasier outbox list`;"
                    " `frasier outbox resend` tries again."
                ),
                "yellow",
            )
        )


def how_to_go_on(mission: object) -> str:
    """Return what to do if nobody is at work."""
    return (
        f"Nobody is at work: `frasier resume {short(mission)}` goes on with it, `frasier up` with everything."
    )
