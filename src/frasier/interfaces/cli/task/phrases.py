"""How tasks are written for people: who acts, how long something lasts, what calls for a look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from frasier.interfaces.cli.output import Cell, lasting, short
from frasier.kernel.humanize import person

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page

NOTICES: Mapping[str, tuple[str, str, str]] = {
    "turn": ("→", "cyan", "your turn"),
    "held": ("▶", "bold cyan", "you hold it"),
    "restored": ("▶", "bold yellow", "the pause is over: renew it, and go on"),
    "lease_ends": ("!", "bold yellow", "its lease ends soon"),
    "not_moved": ("!", "bold yellow", "written, and not moved"),
    "blocked": ("■", "bold magenta", "blocked"),
    "founder_decides": ("?", "bold magenta", "the founder decides"),
    "approved": ("✓", "green", "the founder approved it, and it is not made yet"),
    "rejected": ("✗", "red", "the founder rejected it"),
    "judgement_cleared": ("!", "bold yellow", "what was judged has changed: say it again"),
    "orphaned": ("!", "bold yellow", "stands for more than a day"),
}
"""The mark, its style, and the words of each notice of the engine."""

_SAID_BESIDE = frozenset({"blocked", "founder_decides", "approved", "rejected"})
"""Notices of which the task itself tells more."""

BLOCKED_MEANING = "paused at its exact place until somebody acts"
"""The one status that stands in no table, because every process has it."""

_ROLE_STYLES = ("green", "blue", "yellow", "red", "cyan", "magenta")


def badge(role: str, roles: Sequence[str] = ()) -> Cell:
    """A role; always in the same colour among the same roles."""
    style = _ROLE_STYLES[roles.index(role) % len(_ROLE_STYLES)] if role in roles else "cyan"
    return (f"[{role}]", style)


def holding(task: Mapping[str, Any]) -> str:
    """Who holds it and for how long; empty where nobody does."""
    if "held_by" not in task:
        return ""
    left = task.get("lease_s", 0)
    minutes = f"{left / 60:.0f} min left" if left >= 60 else "less than a minute left"
    return f"{person(task['held_by'])}, {minutes if left > 0 else 'its lease is over'}"


def facts(task: Mapping[str, Any]) -> str:
    """What a line says of a task beside its name: where it is, since when, what it waits for, who holds it."""
    return " · ".join(filter(None, (place(task), holding(task))))


def place(task: Mapping[str, Any]) -> str:
    """Where a task is, since when, and what it waits for."""
    others = task.get("waits_for", 0)
    parts = [
        task["status"] if "was" not in task else f"was {task['was']} with {task['was_role']}",
        lasting(task["waits_s"]),
        f"waits for {others} {'other' if others == 1 else 'others'}" if others else "",
        f"priority {task['priority']}" if "priority" in task else "",
    ]
    return " · ".join(part for part in parts if part)


def notices(task: Mapping[str, Any]) -> list[Cell]:
    """What calls for a look, each with its mark."""
    beside = _SAID_BESIDE | ({"judgement_cleared"} if "judgements_cleared" in task else frozenset())
    found = [NOTICES[why] for why in task.get("why", ()) if why not in beside]
    return [*asked(task), *cleared(task), *((f"{mark} {words}", style) for mark, style, words in found)]


def cleared(task: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Each approval or review that was cleared, with what says it again, and who."""
    mark, style, _ = NOTICES["judgement_cleared"]
    return [(f"{mark} {_cleared(one)}", style) for one in task.get("judgements_cleared", ())]


def _cleared(one: Mapping[str, Any]) -> str:
    changed = f", as {', '.join(one['changed'])} changed" if "changed" in one else ""
    again = [f"{name} by {' or '.join(who)}" for name, who in one.get("say_again", {}).items()]
    rest = f"to be said again: {'; '.join(again)}" if again else "all of it is said again"
    asked_then = "; the founder decides again, where the mode wants it" if "founder_may_decide" in one else ""
    return f"{one['move']} was cleared{changed}; {rest}{asked_then}"


def asked(task: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the founder was asked about its moves, and said."""
    return [_asked(one) for one in task.get("asked_founder", ())]


def _asked(one: Mapping[str, Any]) -> tuple[str, str]:
    from frasier.interfaces.cli.memory.memory_line import since

    match one.get("answer"):
        case None:
            which, when = short(one["decision"]), since(one["asked_at"])
            said = f"{one['move']} waits for the founder's decision {which}, asked {when}"
        case "approved":
            said = f"{one['move']} is approved, and not made yet"
        case _:
            because = one.get("comment") or "no reason was given"
            said = f"{one['move']} was rejected {since(one['answered_at'])}: {because}"
    mark, style, _ = NOTICES[one.get("answer", "founder_decides")]
    return (f"{mark} {said}", style)


def reasons(task: Mapping[str, Any]) -> list[str]:
    """Why a task is paused: each reason with who must do what."""
    return [
        f"{one['reason']} — {one['owner']} must {one['action']}"
        for one in task.get("blocked", ())
        if isinstance(one, Mapping)
    ]


def and_more(number: int) -> list[Cell]:
    """The line below a list of which `number` are left out; empty where none is."""
    return [(f"… and {number} more", "dim")] if number else []


def add_tasks(page: Page, tasks: Sequence[Mapping[str, Any]]) -> None:
    """A list of tasks, a row each."""
    from frasier.interfaces.cli.output import Column

    page.table(
        [Column("task", fixed=True), "title", Column("role", fixed=True), "where and since", "look"],
        [
            (
                task["task"],
                task.get("title", ""),
                badge(task["role"]),
                (facts(task), "dim"),
                _look(task),
            )
            for task in tasks
        ],
        wide=True,
    )


def _look(task: Mapping[str, Any]) -> Cell:
    """All that calls for a look in one cell."""
    if told := reasons(task):
        return (f"■ {'; '.join(told)}", "magenta")
    found = notices(task)
    words = ", ".join(cell if isinstance(cell, str) else cell[0] for cell in found)
    return (words, found[0][1] if found and isinstance(found[0], tuple) else "")
