"""One task as a page: where it is on its way, what it holds, what can be done with it, and what happened to it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from frasier.interfaces.cli.memory.call_tool import Data
    from frasier.interfaces.cli.output import Page


def add_task(page: Page, data: Data) -> None:
    """Everything about a task."""
    add_heading(page, data)
    page.line()
    page.table(
        ["", ""],
        [
            ((name, "dim"), shown_value(value))
            for name, value in data.get("fields", {}).items()
            if name != "project"
        ],
    )
    add_ways(page, data.get("ways", ()))


def add_heading(page: Page, data: Data) -> None:
    """What a task is called, where it is on its way, and what calls for a look."""
    from frasier.interfaces.cli.task.phrases import badge, notices, reasons

    page.line((data["task"], "bold"), "  ", data["title"])
    if "breadcrumb" in data:
        page.line((data["breadcrumb"], "dim"))
    page.line(data["status"], " ", badge(data["role"]), (f"  {_facts(data)}", "dim"))
    for notice in notices(data):
        page.line(notice)
    if "was" in data:
        page.line(
            (f"Paused where it was: {data['was']} with {data['was_role']}{_kept_claim(data)}.", "magenta"),
            (f" `frasier task restore {data['task']}` ends the pause.", "dim"),
        )
    for reason in reasons(data):
        page.line(("■ ", "bold magenta"), reason)


def _kept_claim(data: Data) -> str:
    from frasier.kernel.humanize import person

    if "was_held_by" not in data:
        return ""
    return f", held by {person(data['was_held_by'])} under attempt {data['attempt']}"


def add_ways(page: Page, ways: Sequence[Data], *, titled: bool = True) -> None:
    """The moves that there are from here, each with who may make it and what it wants."""
    if not ways:
        return
    from frasier.interfaces.cli.output import Column

    if titled:
        page.heading("From here")
    page.table(
        [Column("move", fixed=True), Column("to", fixed=True), "by", "with"],
        [(way["move"], way["to"], ", ".join(way["by"]), (_wanted(way), "dim")) for way in ways],
    )


def _wanted(way: Data) -> str:
    """What a move takes."""
    parts = [
        f"say {', '.join(way['say'])}" if "say" in way else "",
        f"filled {', '.join(way['needs'])}" if "needs" in way else "",
        f"gates {', '.join(way['gates'])}" if "gates" in way else "",
        f"runs {', '.join(way['requires_commands'])}" if "requires_commands" in way else "",
        "the founder's decision, where the mode wants it" if "founder_may_decide" in way else "",
    ]
    return "; ".join(part for part in parts if part)


def add_events(page: Page, events: Sequence[Data]) -> None:
    """What happened, oldest first."""
    from frasier.interfaces.cli.memory.memory_line import day
    from frasier.interfaces.cli.output import Column
    from frasier.interfaces.cli.task.event_sentences import words_of
    from frasier.kernel.humanize import person

    page.table(
        [
            Column("when", fixed=True),
            Column("what", fixed=True),
            "by",
            "from and to",
            Column("about", joins=True),
        ],
        [
            (
                (day(event["at"]), "dim"),
                event["what"],
                person(event["by"]),
                _way(event),
                words_of(event),
            )
            for event in events
        ],
    )


def add_problems(page: Page, problems: Sequence[str]) -> None:
    """What does not fit between a task and its record."""
    for problem in problems:
        page.line(("✗ ", "bold red"), problem)


def _way(event: Data) -> str:
    before, after = event.get("before", ""), event.get("after", "")
    return f"{before} → {after}" if before and after and before != after else after or before


def _facts(data: Data) -> str:
    from frasier.interfaces.cli.memory.memory_line import day, since
    from frasier.kernel.humanize import person

    parts = [
        data["process"],
        f"version {data['version']}",
        f"held by {person(data['held_by'])}, attempt {data['attempt']}, until {day(data['lease_until'])}"
        if "held_by" in data
        else "",
        f"waits for {data['waits_for']} other" if "waits_for" in data else "",
        f"sent back {data['strikes']}×" if "strikes" in data else "",
        f"there since {since(data['since'])}" if "since" in data else "",
        str(data["id"]),
    ]
    return " · ".join(part for part in parts if part)


def shown_value(value: Any) -> str:
    """A field's value as a text; of a list a line for each."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "\n".join(f"- {one}" for one in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
