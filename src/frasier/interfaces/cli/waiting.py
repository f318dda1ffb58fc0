"""What waits for the founder, as several screens show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from frasier.interfaces.cli.present import Page
    from frasier.org.governance import Question
    from frasier.store import EffectState, Tx
    from frasier.workflow import Blocked

_QUESTION_CHARS = 600


def question_as_dict(question: Question) -> dict[str, Any]:
    return {
        "question": question.id,
        "kind": question.kind,
        "mission": question.mission_id,
        "task": question.task_id,
        "text": question.question,
        "options": question.options,
        "asked_at": question.asked_at,
    }


async def decisions_as_dicts(tx: Tx) -> list[dict[str, Any]]:
    """The moves on teams' boards that wait for the founder, each with what it is about."""
    from frasier.interfaces.task_tools import decision_line
    from frasier.workflow import briefs, open_decisions

    return [decision_line(brief) for brief in await briefs(tx, await open_decisions(tx))]


def blocked_as_dict(blocked: Blocked) -> dict[str, Any]:
    """`reasons` say why, who must act, and what they must do; `was` is the status that it goes back to."""
    return {
        "task": blocked.id,
        "slug": blocked.slug,
        "title": blocked.title,
        "process": blocked.process,
        "mission": blocked.group_id,
        "was": blocked.was,
        "reasons": blocked.reasons,
        "blocked_at": blocked.blocked_at,
    }


def effect_as_dict(effect: EffectState) -> dict[str, Any]:
    return {
        "effect": effect.id,
        "kind": effect.kind,
        "key": effect.key,
        "state": effect.state,
        "mission": effect.stream,
        "attempts": effect.attempts,
        "error": effect.error,
        "receipt": effect.receipt,
        "created_at": effect.created_at,
        "settled_at": effect.settled_at,
    }


def add_questions(page: Page, questions: list[dict[str, Any]]) -> None:
    """Each question with the commands that answer it."""
    from frasier.interfaces.cli.present import ago, short
    from frasier.kernel.text import shorten

    for question in questions:
        text = shorten(question["text"], _QUESTION_CHARS)
        page.line(("■ ", "bold magenta"), text, (f"  {ago(question['asked_at'])}", "dim"))
        answers = " | ".join(question["options"])
        page.prose(f"frasier decide {short(question['question'])} {answers}")


def add_decisions(page: Page, decisions: list[dict[str, Any]]) -> None:
    """Each decision in short; the inbox shows what it is about."""
    from frasier.interfaces.cli.memory.wording import since
    from frasier.kernel.wording import person

    for decision in decisions:
        page.line(
            ("■ ", "bold magenta"),
            f"{decision['move']} of {decision['project']}/{decision['task']} ({decision['title']}),"
            f" asked by {person(decision['asked_by'])}",
            (f"  {since(decision['asked_at'])}", "dim"),
        )
    if decisions:
        page.prose("`frasier inbox` shows what each is about, and how to decide it.")


def add_effects(page: Page, effects: list[dict[str, Any]]) -> None:
    """Effects as a table, with what went wrong."""
    from frasier.interfaces.cli.present import Column, ago, mark, short

    page.table(
        [
            "",
            Column("effect", fixed=True),
            Column("kind", fixed=True),
            "state",
            "mission",
            "tries",
            "begun",
            "error",
        ],
        [
            (
                mark(effect["state"]),
                short(effect["effect"]),
                effect["kind"],
                mark(effect["state"], effect["state"]),
                short(effect["mission"]),
                str(effect["attempts"]),
                (ago(effect["created_at"]), "dim"),
                effect["error"] or "",
            )
            for effect in effects
        ],
    )


async def somebody_works(tx: Tx) -> bool:
    """Whether a process is there that carries work on: it holds tasks, or keeps the heartbeat."""
    from frasier.store import lease_holders
    from frasier.workflow import busy_workers

    return bool(await lease_holders(tx) or await busy_workers(tx))


def how_to_go_on(mission: object) -> str:
    """What to do where nobody is at work."""
    from frasier.interfaces.cli.present import short

    return (
        f"Nobody is at work: `frasier resume {short(mission)}` goes on with it, `frasier up` with everything."
    )


async def who_goes_on(tx: Tx, mission: object) -> str:
    """What to do for the work to go on; nothing where somebody is at work."""
    return "" if await somebody_works(tx) else how_to_go_on(mission)
