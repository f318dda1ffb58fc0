"""What came of a completed task in one sentence, told from its events: who worked in which role, and how often it
came back.
"""

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
    """The title of a task that is over, how long it took and how often it was taken, sent back and paused, and for
    each role of its process who acted in it. `events` are those of the task, oldest first.
    """
    process = task.definition
    who: dict[str, list[str]] = {}
    pauses = reopened = 0
    status = role = ""
    for event in events:
        name = event.kind.removeprefix("task.")
        rule = process.transitions.get(name)
        pauses += name == "block"
        if rule is not None:
            reopened += rule.reopens
            # Before it is begun a task is only prepared, by whoever does that.
            acted = "" if status in {"", process.initial} else _acted_as(process, rule, role, event.actor)
            names = who.setdefault(acted, [])
            if acted and (actor := person(event.actor)) not in names:
                names.append(actor)
        status = str(event.payload.get("to", status))
        role = str(event.payload.get("role", role))
    counted = [
        f"taken {_times(task.attempt)}",
        # Reopening counts as a strike, too, and is told by itself.
        *([f"sent back {_times(task.strikes - reopened)}"] if task.strikes > reopened else []),
        *([f"reopened {_times(reopened)}"] if reopened else []),
        *([f"paused {_times(pauses)}"] if pauses else []),
    ]
    acted = "".join(f"; {one}: {_named(names)}" for one, names in who.items() if names)
    took = _duration((task.ended_at or task.updated_at) - task.created_at)
    return f"{shorten(task.title, _TITLE_CHARS)}: completed in {took}, {', '.join(counted)}{acted}."


def _acted_as(process: Process, rule: Transition, role: str, actor: str) -> str:
    """As what somebody made the move; empty for the engine, and where the table leaves it open."""
    kind = actor.partition(":")[0]
    if kind != ActorKind.MEMBER:
        return kind if kind == ActorKind.FOUNDER else ""
    if role in rule.actors or OWNER in rule.actors:
        return role
    able = sorted(rule.actors & process.roles)
    return able[0] if len(able) == 1 else ""


def _named(names: list[str]) -> str:
    more = len(names) - _NAMES_MAX
    return ", ".join(names[:_NAMES_MAX]) + (f" and {more} more" if more > 0 else "")


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _duration(took: timedelta) -> str:
    """The two largest units of it."""
    minutes, seconds = divmod(round(took.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [(days, "d"), (hours, "h"), (minutes, "min"), (seconds, "s")]
    first = next((place for place, (count, _) in enumerate(parts) if count), len(parts) - 1)
    return " ".join(f"{count} {unit}" for count, unit in parts[first : first + 2])
