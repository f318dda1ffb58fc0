"""What waits for the founder, as several screens show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from frasier.board import Blocked
    from frasier.interfaces.cli.present import Page
    from frasier.org.governance import FounderQuestion
    from frasier.store import EffectState, Tx

_QUESTION_CHARS = 600
_MISSIONS = 50


def question_as_dict(question: FounderQuestion) -> dict[str, Any]:
    from frasier.interfaces.advice import text_for_founder

    return {
        "question": question.id,
        "kind": question.kind,
        "mission": question.mission_id,
        "task": question.task_id,
        "text": text_for_founder(question.question, question.advice),
        "options": question.options,
        "asked_at": question.asked_at,
    }


async def decisions_as_dicts(tx: Tx) -> list[dict[str, Any]]:
    """The moves on teams' boards that wait for the founder, each with what it is about."""
    from frasier.board import briefs, open_decisions
    from frasier.interfaces.task_tools import decision_line

    return [decision_line(brief) for brief in await briefs(tx, await open_decisions(tx))]


def blocked_as_dict(blocked: Blocked) -> dict[str, Any]:
    """`reasons` say why, who must act, what they must do, and since when; `was` is the status that it goes back to,
    with `was_role`. `ends_with` is the command by which the founder ends the pause.
    """
    from frasier.interfaces.cli.present import short

    on_board = blocked.project is not None
    place = f"{blocked.project}/{blocked.slug}"
    return {
        "task": blocked.id,
        "slug": blocked.slug,
        "title": blocked.title,
        "process": blocked.process,
        "mission": None if on_board else blocked.group_id,
        "project": blocked.project,
        "was": blocked.was,
        "was_role": blocked.was_role,
        "reasons": blocked.reasons,
        "blocked_at": blocked.blocked_at,
        "ends_with": f"frasier task restore {place}" if on_board else f"frasier retry {short(blocked.id)}",
    }


def is_the_founders(blocked: dict[str, Any]) -> bool:
    """Whether a pause waits for the founder to act."""
    return any(reason["owner"] == "founder" for reason in blocked["reasons"])


async def interrupted_as_dicts(tx: Tx) -> list[dict[str, Any]]:
    """The missions that could go on, and that nobody works on, with the command that goes on with each."""
    from frasier.interfaces.cli.present import short
    from frasier.interfaces.cli.snapshot import read_snapshot
    from frasier.org.planning import list_missions

    if await somebody_works(tx):
        return []
    newest = await list_missions(tx, limit=_MISSIONS)
    found = [await read_snapshot(tx, one.id) for one in newest if not one.status.ended]
    return [
        {
            "mission": one.mission_id,
            "title": one.title,
            "status": one.status,
            "goes_on_with": "frasier resume "
            + ("last" if one.mission_id == newest[0].id else short(one.mission_id)),
        }
        for one in found
        if not one.over and not one.waits_for_founder
    ]


def effect_as_dict(effect: EffectState) -> dict[str, Any]:
    return {
        "effect": effect.id,
        "kind": effect.kind,
        "key": effect.key,
        "state": effect.state,
        "in_trouble": effect.in_trouble,
        "mission": effect.stream,
        "attempts": effect.attempts,
        "error": effect.error,
        "receipt": effect.receipt,
        "created_at": effect.created_at,
        "settled_at": effect.settled_at,
    }


async def files_as_dicts(tx: Tx) -> dict[str, list[dict[str, Any]]]:
    """The memory files that wait for the founder: to confirm what they ask for, or to read what was changed."""
    from frasier.interfaces.cli.identity import who_acts
    from frasier.interfaces.memory_tools import proposal_json, unread_edit_json
    from frasier.memory import tier_proposals, unread_edits

    founder = await who_acts(tx)
    return {
        "files": [proposal_json(one) for one in await tier_proposals(tx, founder)],
        "unread_files": [unread_edit_json(one) for one in await unread_edits(tx, founder)],
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


def add_files(page: Page, document: dict[str, Any]) -> None:
    """Count the memory files that wait; the inbox names them."""
    from frasier.kernel.wording import plural

    for what, waiting in (
        ("files", "to be confirmed in what they ask for"),
        ("unread_files", "to be read: their memories bind everybody, and the files were changed"),
    ):
        if document[what]:
            page.line(
                ("■ ", "bold magenta"), f"{plural(len(document[what]), 'memory file')} waiting {waiting}"
            )
            page.prose("`frasier inbox` shows each, and what to do.")


def add_blocks(page: Page, blocks: list[dict[str, Any]]) -> None:
    """Each pause with its reasons, the place that it keeps, and the command that ends it."""
    from frasier.interfaces.cli.memory.wording import since
    from frasier.interfaces.cli.present import ago

    for blocked in blocks:
        name = f"{blocked['project']}/{blocked['slug']} ({blocked['title']})"
        for reason in blocked["reasons"]:
            page.line(
                ("■ ", "bold magenta"),
                f"{name if blocked['project'] else blocked['title']}: {reason['reason']} — {reason['owner']} must"
                f" {reason['action']}",
                (f"  {since(reason.get('at')) or ago(blocked['blocked_at'])}", "dim"),
            )
        role = f" with {blocked['was_role']}" if blocked["project"] else ""
        page.prose(f"It was {blocked['was']}{role}, and goes on there with: {blocked['ends_with']}")


def add_interrupted(page: Page, missions: list[dict[str, Any]]) -> None:
    """Each mission that nobody works on, with the command that goes on with it."""
    for mission in missions:
        page.line(("■ ", "bold magenta"), f"{mission['title']} is not finished, and nobody works on it.")
        page.prose(mission["goes_on_with"])


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


def add_troubles(page: Page, effects: list[dict[str, Any]], *, of: int) -> None:
    """Add the cause of each effect in trouble, `of` so many, and the command that tries them again."""
    from frasier.kernel.wording import plural

    for effect in effects:
        page.line((f"■ {effect['kind']}: {effect['error'] or effect['state']}", "yellow"))
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


async def somebody_works(tx: Tx) -> bool:
    """Whether a process is there that carries work on: it holds tasks of the organisation, or keeps the heartbeat."""
    from frasier.board import busy_workers
    from frasier.store import lease_holders

    return bool(await lease_holders(tx)) or any(not one.on_boards for one in await busy_workers(tx))


def how_to_go_on(mission: object) -> str:
    """What to do where nobody is at work."""
    from frasier.interfaces.cli.present import short

    return (
        f"Nobody is at work: `frasier resume {short(mission)}` goes on with it, `frasier up` with everything."
    )


async def who_goes_on(tx: Tx, mission: object) -> str:
    """What to do for the work to go on; nothing where somebody is at work."""
    return "" if await somebody_works(tx) else how_to_go_on(mission)
