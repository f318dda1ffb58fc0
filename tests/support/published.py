"""A published text made by hand, with two sources and statements of each verdict."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from frasier.interfaces.deliverable_rendering.published_text import CitedSource, PublishedText, TextNotice
from frasier.llm import CarryingPassage, CheckedStatement, Verification

OFFER = CarryingPassage(number=1, location="line 4, under Offer", text="A valve costs 48.50 EUR & no less.")
VALID = CarryingPassage(number=1, location="", text="The offer is valid until 30 September 2026.")
BUDGET = CarryingPassage(number=2, location="row 3", text="The budget is 5,200 EUR <b>a quarter</b>.")
SOURCES = (
    CitedSource(number=1, title="Offer of <Zephyr>", uri="offers/zephyr.md", passages=(OFFER, VALID)),
    CitedSource(number=2, title="Budget", uri="https://example.org/budget?a=1&b=2", passages=(BUDGET,)),
)


def statement(
    markdown: str,
    verdict: str = "verified",
    *,
    cited: tuple[int, ...] = (1,),
    passages: Sequence[CarryingPassage] = (OFFER,),
    findings: tuple[str, ...] = (),
) -> CheckedStatement:
    """Return a statement that stands so in its text."""
    return CheckedStatement(
        text=markdown,
        markdown=markdown,
        verdict=verdict,
        cited=cited,
        findings=findings,
        passages=tuple(passages),
    )


def doubtful(
    markdown: str, reason: str = "the cited sources do not have “12.34”", **fields: object
) -> CheckedStatement:
    return statement(markdown, "doubtful", findings=(reason,), **fields)  # type: ignore[arg-type]


def published(
    markdown: str,
    *statements: CheckedStatement,
    sources: Sequence[CitedSource] = SOURCES,
    notices: tuple[TextNotice, ...] = (),
    uncited: tuple[str, ...] = (),
    unreadable: tuple[str, ...] = (),
) -> PublishedText:
    return PublishedText(
        title="Valves",
        mission="0199-42",
        completed_at=datetime(2026, 7, 10, 12, tzinfo=UTC),
        language="en",
        notices=notices,
        markdown=markdown,
        verification=Verification(statements=statements),
        sources=tuple(sources),
        uncited=uncited,
        unreadable=unreadable,
    )
