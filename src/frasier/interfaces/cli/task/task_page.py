"""One task as a page: its status, its content, its possible moves, and its history."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from frasier.interfaces.cli.memory.memory_text import day, since
from frasier.interfaces.cli.output import Column, Page, fixed
from frasier.interfaces.cli.task.phrases import badge, notices, reasons
from frasier.interfaces.operations.tasks.event_sentences import sentence_of
from frasier.kernel.humanize import person

if TYPE_CHECKING:
    from frasier.interfaces.operations.tasks.history import EventOutput
    from frasier.interfaces.operations.tasks.outputs import TaskOutput, Way
    from frasier.interfaces.operations.tasks.read import MoveOutput


def add_task(page: Page, task: TaskOutput) -> None:
    """Add everything about a task."""
    add_heading(page, task)
    page.line()
    page.table(
        ["", ""],
        [((name, "dim"), shown_value(value)) for name, value in task.fields.items() if name != "board"],
    )
    for quoted in task.founder_answers:
        origin = f" {quoted.move}, quoted by {person(quoted.by)} on {day(quoted.at)}"
        page.line(f'The founder answered: "{quoted.answer}"', (origin, "dim"))
    add_ways(page, task.ways)


def add_heading(page: Page, task: TaskOutput) -> None:
    """Add the name of a task, its place in the process, and what needs attention."""
    page.line((task.task, "bold"), "  ", task.title)
    if task.breadcrumb:
        page.line((task.breadcrumb, "dim"))
    page.line(task.status, " ", badge(task.role), (f"  {_facts(task)}", "dim"))
    for notice in notices(task):
        page.line(notice)
    if task.was:
        page.line(
            (f"Paused where it was: {task.was} with {task.was_role}{_kept_claim(task)}.", "magenta"),
            (f" `frasier task restore {task.task}` ends the pause.", "dim"),
        )
    for reason in reasons(task):
        page.line(("■ ", "bold magenta"), reason)


def _kept_claim(task: TaskOutput) -> str:
    if task.was_held_by is None:
        return ""
    return f", held by {person(task.was_held_by)} under attempt {task.attempt}"


def add_ways(page: Page, ways: Sequence[Way | MoveOutput], *, titled: bool = True) -> None:
    """Add the moves from here, each with who may make it and what it needs."""
    if not ways:
        return
    if titled:
        page.heading("From here")
    page.table(
        [fixed("move"), fixed("to"), "by", "with"],
        [(way.move, way.to, ", ".join(sorted(way.by)), (_needs(way), "dim")) for way in ways],
    )


def _needs(way: Way | MoveOutput) -> str:
    """Return what a move needs."""
    commands = getattr(way, "requires_commands", ())
    parts = [
        f"say {', '.join(sorted(way.say))}" if way.say else "",
        f"filled {', '.join(sorted(way.needs))}" if way.needs else "",
        f"gates {', '.join(way.gates)}" if way.gates else "",
        f"runs {', '.join(commands)}" if commands else "",
        "the founder's decision, where the mode wants it" if way.founder_may_decide else "",
    ]
    return "; ".join(part for part in parts if part)


def add_events(page: Page, events: Sequence[EventOutput]) -> None:
    """Add the events of a task, oldest first."""
    page.table(
        [fixed("when"), fixed("what"), "by", "from and to", Column("about", joins=True)],
        [
            ((day(event.at), "dim"), event.what, person(event.by), _way(event), sentence_of(event))
            for event in events
        ],
    )


def add_problems(page: Page, problems: Sequence[str]) -> None:
    """Add the mismatches between a task and its record."""
    for problem in problems:
        page.line(("✗ ", "bold red"), problem)


def _way(event: EventOutput) -> str:
    before, after = event.before, event.after
    return f"{before} → {after}" if before and after and before != after else after or before


def _facts(task: TaskOutput) -> str:
    parts = [
        task.process,
        f"version {task.version}",
        f"held by {person(task.held_by)}, attempt {task.attempt}, until {day(task.lease_until)}"
        if task.held_by
        else "",
        f"waits for {', '.join(task.waits_for_tasks)}" if task.waits_for_tasks else "",
        f"sent back {task.strikes}×" if task.strikes else "",
        f"there since {since(task.since)}",
        str(task.id),
    ]
    return " · ".join(part for part in parts if part)


def shown_value(value: Any) -> str:
    """Return a field's value as a text; a list has a line for each item."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(f"- {item}" for item in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
