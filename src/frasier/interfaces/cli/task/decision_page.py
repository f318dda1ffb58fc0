"""A decision as the founder reads it: what is to be decided, on which work, and how to answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from frasier.interfaces.cli.memory.memory_line import since
from frasier.interfaces.cli.output import short
from frasier.kernel.humanize import ended, person
from frasier.kernel.text import shorten

if TYPE_CHECKING:
    from frasier.interfaces.cli.memory.call_tool import Data
    from frasier.interfaces.cli.output import Cell, Page

_VALUE_CHARS = 600

_Rows = list[tuple["Cell", "Cell"]]


def add_decisions(page: Page, found: Sequence[Data], *, decides: bool) -> None:
    """Each decision with what it is about, and for who `decides` how to answer it where it waits."""
    for number, one in enumerate(found):
        if number:
            page.line()
        _add_decision(page, one, decides=decides)
    if any(_is_long(one) for one in found):
        page.line(("Long texts are cut here; --json has them whole.", "dim"))


def _add_decision(page: Page, one: Data, *, decides: bool) -> None:
    shown, questions = one["shown"], one.get("questions", {})
    page.line(
        ("■ ", "bold magenta"),
        (f"{one['move']} of {one['project']}/{one['task']}", "bold"),
        f"  {_where(shown)}, version {one['version']}",
    )
    page.prose(f"{one['title']}\nasked by {person(one['asked_by'])} {since(one['asked_at'])}")
    page.table(
        ["", ""],
        [
            *_fields("The work", one.get("work", {})),
            *_texts("Wanted is", [f"- {text}" for text in one.get("criteria", ())]),
            *_texts("Tests", [_tests(one.get("tests", {}))]),
            *_texts("Looked up, run", [_evidence(each) for each in one.get("evidence", ())]),
            *_fields("Said with the move", shown.get("said", {}), questions),
            *_fields("What else it holds", one.get("others", {}), questions),
        ],
    )
    page.prose(_answer(one, decides=decides))


def _where(shown: Data) -> str:
    """From where to where the task goes; of what was approved before, why it is asked again."""
    if again := shown.get("again"):
        return f"asked again: {', '.join(again)} changed"
    return f"{shown['from']} → {shown['to']}"


def _texts(title: str, texts: Sequence[Cell]) -> _Rows:
    """One below the other, beside their title."""
    return [
        ((f"  {'' if number else title}", "bold"), text)
        for number, text in enumerate(texts or [("nothing", "dim")])
    ]


def _fields(title: str, fields: Mapping[str, Any], questions: Mapping[str, str] | None = None) -> _Rows:
    """Below their title, each with its name; an answer below what was asked."""
    from frasier.interfaces.cli.task.task_page import shown_value

    if not fields:
        return _texts(title, ())
    return [
        ((f"  {title}", "bold"), ""),
        *(
            row
            for name, value in fields.items()
            for row in _field(name, shorten(shown_value(value), _VALUE_CHARS), (questions or {}).get(name))
        ),
    ]


def _field(name: str, value: str, asks: str | None) -> _Rows:
    called = (f"    {name}", "dim")
    return [(called, value)] if asks is None else [(called, (f"({asks})", "dim")), ("", value)]


def _is_long(one: Data) -> bool:
    from frasier.interfaces.cli.task.task_page import shown_value

    held = (one.get("work", {}), one["shown"].get("said", {}), one.get("others", {}))
    return any(len(shown_value(value)) > _VALUE_CHARS for fields in held for value in fields.values())


def _tests(counts: Mapping[str, int]) -> Cell:
    if "total" not in counts:
        return ("none were counted", "yellow")
    passed, total = counts.get("passed", 0), counts["total"]
    return (f"{passed} of {total} passed", "green" if total and passed == total else "red")


def _evidence(one: Data) -> Cell:
    mark, style = ("✓", "green") if one["holds"] else ("✗", "red")
    counts = f"{one['passed']} of {one['total']} tests passed" if "total" in one else ""
    well = "it resolves" if one["kind"] == "link" else "it ended well"
    ill = one.get("why") or (f"exit code {one['exit_code']}" if "exit_code" in one else "it failed")
    earlier = "" if one["of_this_work"] else " This was before the work was changed."
    said = counts or (well if one["holds"] else ill)
    by = f"{one['kind']}, by {person(one['by'])} {since(one['at'])}"
    return (f"{mark} {one['subject']}: {ended(said)}{earlier} ({by})", style)


def _answer(one: Data, *, decides: bool) -> str:
    """How to answer, or what was answered and what is left to do."""
    if "answer" not in one and not decides:
        return f"{short(one['decision'])} waits for the founder; there is nothing to do until then."
    if "answer" not in one:
        return f"frasier task decide {short(one['decision'])} approve | reject"
    said = f"{one['answer']}: {ended(one.get('comment') or 'no reason was given')}"
    if one["answer"] == "rejected" or "used_at" in one:
        return said
    if "again" in one["shown"]:
        return f"{said}\n{person(one['asked_by'])} makes the move that was refused again."
    return f"{said}\nfrasier task move {one['project']}/{one['task']} {one['move']}"
