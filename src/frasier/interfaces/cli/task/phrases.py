"""Phrases about a task for people: who acts, how long something lasts, what needs attention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from frasier.interfaces.cli.memory.memory_text import since
from frasier.interfaces.cli.output import Cell, Page, fixed, lasting, short
from frasier.interfaces.operations.tasks.board_legend import NOTICE_WORDS
from frasier.kernel.humanize import person

if TYPE_CHECKING:
    from frasier.interfaces.operations.tasks.outputs import (
        AskedMoveOutput,
        ClearedJudgement,
        TaskAttention,
        TaskSummary,
    )

_MARKS: Mapping[str, tuple[str, str]] = {
    "turn": ("→", "cyan"),
    "held": ("▶", "bold cyan"),
    "restored": ("▶", "bold yellow"),
    "lease_ends": ("!", "bold yellow"),
    "not_moved": ("!", "bold yellow"),
    "blocked": ("■", "bold magenta"),
    "founder_decides": ("?", "bold magenta"),
    "approved": ("✓", "green"),
    "rejected": ("✗", "red"),
    "judgement_cleared": ("!", "bold yellow"),
    "orphaned": ("!", "bold yellow"),
}

NOTICES: Mapping[str, tuple[str, str, str]] = {
    name: (*_MARKS[name], words) for name, words in NOTICE_WORDS.items()
}
"""The icon, its style, and the words of each notice of the engine."""

_SAID_BESIDE = frozenset({"blocked", "founder_decides", "approved", "rejected"})
"""Notices about which the task itself has more details."""

_ROLE_STYLES = ("green", "blue", "yellow", "red", "cyan", "magenta")


def badge(role: str, roles: Sequence[str] = ()) -> Cell:
    """Return a role, always in the same colour among the same roles."""
    style = _ROLE_STYLES[roles.index(role) % len(_ROLE_STYLES)] if role in roles else "cyan"
    return (f"[{role}]", style)


def holding(task: TaskSummary) -> str:
    """Return the holder of a task and the time left; empty if nobody holds it."""
    if task.held_by is None:
        return ""
    left = task.lease_s or 0
    minutes = f"{left / 60:.0f} min left" if left >= 60 else "less than a minute left"
    return f"{person(task.held_by)}, {minutes if left > 0 else 'its lease is over'}"


def facts(task: TaskSummary) -> str:
    """Return the facts of a line about a task: its place, since when, what it waits for, who holds it."""
    return " · ".join(filter(None, (place(task), holding(task))))


def place(task: TaskSummary) -> str:
    """Return the place of a task, since when, and what it waits for."""
    parts = [
        f"was {task.was} with {task.was_role}" if task.was else task.status,
        lasting(task.waits_s),
        f"waits for {', '.join(task.waits_for_tasks)}" if task.waits_for_tasks else "",
        f"priority {task.priority}" if task.priority else "",
    ]
    return " · ".join(part for part in parts if part)


def notices(task: TaskAttention) -> list[Cell]:
    """Return everything that needs attention, each with its icon."""
    beside = _SAID_BESIDE | ({"judgement_cleared"} if task.judgements_cleared else frozenset())
    found = [NOTICES[why] for why in task.why if why not in beside]
    return [*asked(task), *cleared(task), *((f"{mark} {words}", style) for mark, style, words in found)]


def cleared(task: TaskAttention) -> list[tuple[str, str]]:
    """Return each approval or review that was cleared, with who must give it again, and how."""
    mark, style, _ = NOTICES["judgement_cleared"]
    return [(f"{mark} {_cleared(judgement)}", style) for judgement in task.judgements_cleared]


def _cleared(judgement: ClearedJudgement) -> str:
    changed = f", as {', '.join(judgement.changed)} changed" if judgement.changed else ""
    again = [f"{name} by {' or '.join(sorted(roles))}" for name, roles in judgement.say_again.items()]
    rest = f"to be said again: {'; '.join(again)}" if again else "all of it is said again"
    decides = "; the founder decides again, where the mode wants it" if judgement.founder_may_decide else ""
    return f"{judgement.move} was cleared{changed}; {rest}{decides}"


def asked(task: TaskAttention) -> list[tuple[str, str]]:
    """Return the questions to the founder about its moves, and the answers."""
    return [_asked(move) for move in task.asked_founder]


def _asked(asked_move: AskedMoveOutput) -> tuple[str, str]:
    move = asked_move.move
    match asked_move.answer:
        case None:
            which, when = short(asked_move.decision), since(asked_move.asked_at)
            said = f"{move} waits for the founder's decision {which}, asked {when}"
        case "approved":
            said = f"{move} is approved, and not made yet"
        case _:
            because = asked_move.comment or "no reason was given"
            said = f"{move} was rejected {since(asked_move.answered_at)}: {because}"
    mark, style, _ = NOTICES[asked_move.answer or "founder_decides"]
    return (f"{mark} {said}", style)


def reasons(task: TaskAttention) -> list[str]:
    """Return why a task is paused: each reason with who must do what."""
    return [f"{pause.reason} — {pause.owner} must {pause.action}" for pause in task.blocked]


def and_more(number: int) -> list[Cell]:
    """Return the line below a list of which `number` items are left out; nothing if it is complete."""
    return [(f"… and {number} more", "dim")] if number else []


def add_tasks(page: Page, tasks: Sequence[TaskSummary]) -> None:
    """Add tasks as a table, a row each."""
    page.table(
        [fixed("task"), "title", fixed("role"), "where and since", "look"],
        [(task.task, task.title, badge(task.role), (facts(task), "dim"), _attention(task)) for task in tasks],
        wide=True,
    )


def _attention(task: TaskAttention) -> Cell:
    """Return everything that needs attention in one cell."""
    if paused := reasons(task):
        return (f"■ {'; '.join(paused)}", "magenta")
    found = notices(task)
    words = ", ".join(cell if isinstance(cell, str) else cell[0] for cell in found)
    return (words, found[0][1] if found and isinstance(found[0], tuple) else "")
