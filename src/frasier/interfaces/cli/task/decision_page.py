"""Decisions as the founder reads them: the move, the work, and how to answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from frasier.interfaces.cli.memory.memory_text import since
from frasier.interfaces.cli.output import Cell, Page, short
from frasier.interfaces.cli.task.task_page import shown_value
from frasier.kernel.humanize import ended, person
from frasier.kernel.text import shorten

if TYPE_CHECKING:
    from frasier.interfaces.operations.tasks.outputs import (
        DecisionOutput,
        EvidenceOutput,
        ShownMove,
        TestCounts,
    )

_VALUE_CHARS = 600

_Rows = list[tuple["Cell", "Cell"]]


def add_decisions(page: Page, decisions: Sequence[DecisionOutput], *, decides: bool) -> None:
    """Add each decision with its subject, and how to answer it for the person who `decides`."""
    for number, decision in enumerate(decisions):
        if number:
            page.line()
        _add_decision(page, decision, decides=decides)
    if any(_is_long(decision) for decision in decisions):
        page.line(("Long texts are cut here; --json has them whole.", "dim"))


def _add_decision(page: Page, decision: DecisionOutput, *, decides: bool) -> None:
    page.line(
        ("■ ", "bold magenta"),
        (f"{decision.move} of {decision.task}", "bold"),
        f"  {_where(decision.shown)}, version {decision.version}",
    )
    page.prose(f"{decision.title}\nasked by {person(decision.asked_by)} {since(decision.asked_at)}")
    page.table(
        ["", ""],
        [
            *_fields("The work", decision.work),
            *_texts("Wanted is", [f"- {text}" for text in decision.criteria]),
            *_texts("Tests", [_tests(decision.tests)]),
            *_texts("Looked up, run", [_evidence(evidence) for evidence in decision.evidence]),
            *_fields("Said with the move", decision.shown.said, decision.questions),
            *_fields("What else it holds", decision.others, decision.questions),
        ],
    )
    page.prose(_answer(decision, decides=decides))


def _where(move: ShownMove) -> str:
    """Return where the task goes from and to; for a move that was approved before, why it is asked again."""
    if move.again:
        return f"asked again: {', '.join(move.again)} changed"
    return f"{move.from_} → {move.to}"


def _texts(title: str, texts: Sequence[Cell]) -> _Rows:
    """Return texts one below the other, beside their title."""
    return [
        ((f"  {'' if number else title}", "bold"), text)
        for number, text in enumerate(texts or [("nothing", "dim")])
    ]


def _fields(title: str, fields: Mapping[str, Any], questions: Mapping[str, str] | None = None) -> _Rows:
    """Return fields below their title, each with its name; an answer below its question."""
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


def _is_long(decision: DecisionOutput) -> bool:
    shown = (decision.work, decision.shown.said, decision.others)
    return any(len(shown_value(value)) > _VALUE_CHARS for fields in shown for value in fields.values())


def _tests(counts: TestCounts) -> Cell:
    if counts.total is None:
        return ("none were counted", "yellow")
    passed = counts.passed or 0
    return (
        f"{passed} of {counts.total} passed",
        "green" if counts.total and passed == counts.total else "red",
    )


def _evidence(evidence: EvidenceOutput) -> Cell:
    mark, style = ("✓", "green") if evidence.holds else ("✗", "red")
    counts = "" if evidence.total is None else f"{evidence.passed} of {evidence.total} tests passed"
    well = "it resolves" if evidence.kind == "link" else "it ended well"
    ill = evidence.why or ("it failed" if evidence.exit_code is None else f"exit code {evidence.exit_code}")
    earlier = "" if evidence.of_this_work else " This was before the work was changed."
    said = counts or (well if evidence.holds else ill)
    by = f"{evidence.kind}, by {person(evidence.by)} {since(evidence.at)}"
    return (f"{mark} {evidence.subject}: {ended(said)}{earlier} ({by})", style)


def _answer(decision: DecisionOutput, *, decides: bool) -> str:
    """Return how to answer, or the answer and what is left to do."""
    if decision.answer is None and not decides:
        return f"{short(decision.decision)} waits for the founder; there is nothing to do until then."
    if decision.answer is None:
        return f"frasier task decide {short(decision.decision)} approve | reject"
    said = f"{decision.answer}: {ended(decision.comment or 'no reason was given')}"
    if decision.answer == "rejected" or decision.used_at:
        return said
    if decision.shown.again:
        return f"{said}\n{person(decision.asked_by)} makes the move that was refused again."
    return f"{said}\nfrasier task move {decision.task} {decision.move}"
