"""A one-sentence summary of a completed task, from its events: who worked in which role, and how often it came back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from frasier.kernel.humanize import person
from frasier.kernel.text import shorten
from frasier.store import Event
from frasier.workflow.processes.process import OWNER, ActorKind, Process, Transition
from frasier.workflow.tasks.task import Task

_TITLE_CHARS = 160
_NAMES_MAX = 5


def summary_of(task: Task, events: Iterable[Event]) -> str:
    """Summarise a task that has ended: its title, how long it took, how often it was claimed, sent back and paused,
    and who acted in each role. `events` are those of the task, oldest first.
    """
    process = task.definition
    names_by_role: dict[str, list[str]] = {}
    pauses = reopened = 0
    status = role = ""
    for event in events:
        name = event.kind.removeprefix("task.")
        rule = process.transitions.get(name)
        pauses += name == "block"
        if rule is not None:
            reopened += rule.reopens
            # In its initial status a task is only being prepared; nobody acts in a role yet.
            acted = "" if status in {"", process.initial} else _role_of(process, rule, role, event.actor)
            names = names_by_role.setdefault(acted, [])
            if acted and (actor := person(event.actor)) not in names:
                names.append(actor)
        status = str(event.payload.get("to", status))
        role = str(event.payload.get("role", role))
    counted = [
        f"taken {_times(task.attempt)}",
        # Reopening counts as a strike too, and is listed separately.
        *([f"sent back {_times(task.strikes - reopened)}"] if task.strikes > reopened else []),
        *([f"reopened {_times(reopened)}"] if reopened else []),
        *([f"paused {_times(pauses)}"] if pauses else []),
    ]
    acted = "".join(f"; {role}: {_list_names(names)}" for role, names in names_by_role.items() if names)
    elapsed = _duration((task.ended_at or task.updated_at) - task.created_at)
    return f"{shorten(task.title, _TITLE_CHARS)}: completed in {elapsed}, {', '.join(counted)}{acted}."


def _role_of(process: Process, rule: Transition, role: str, actor: str) -> str:
    """Return the role in which somebody made the move; empty for the engine, and if the table leaves it open."""
    kind = actor.partition(":")[0]
    if kind != ActorKind.MEMBER:
        return kind if kind == ActorKind.FOUNDER else ""
    if role in rule.actors or OWNER in rule.actors:
        return role
    possible = sorted(rule.actors & process.roles)
    return possible[0] if len(possible) == 1 else ""


def _list_names(names: list[str]) -> str:
    more = len(names) - _NAMES_MAX
    return ", ".join(names[:_NAMES_MAX]) + (f" and {more} more" if more > 0 else "")


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _duration(elapsed: timedelta) -> str:
    """Format a duration by its two largest units."""
    minutes, seconds = divmod(round(elapsed.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [(days, "d"), (hours, "h"), (minutes, "min"), (seconds, "s")]
    first = next((place for place, (count, _) in enumerate(parts) if count), len(parts) - 1)
    return " ".join(f"{count} {unit}" for count, unit in parts[first : first + 2])
