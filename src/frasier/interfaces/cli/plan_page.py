"""A mission's plan and its estimate, as several screens and documents show them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from frasier.interfaces.cli.document import document_of
from frasier.interfaces.cli.output import PLAIN_WIDTH, Cell, Column, Page, fixed, usd
from frasier.kernel.humanize import dollars, duration, plural

if TYPE_CHECKING:
    from frasier.overview import AmountRange, EstimateView, MissionProgress, PlannedWork, PlanView

_DIGEST_CHARS = 12
_NUMBERS_SHOWN = 8
_ORIGINS = {
    "default": "the default plan, because planning failed",
    "founder": "as you edited it",
    "direct": "a single step, without planning",
}
_STATES = {"proposed": "waits for your approval", "approved": "approved, not begun yet"}


def plan_line(plan: PlanView) -> str:
    """Return the plan and its estimate in one line."""
    origin = f" ({_ORIGINS[plan.origin]})" if plan.origin in _ORIGINS else ""
    estimate = f": {plan.headline}" if plan.headline else ""
    return f"{plural(len(plan.steps), 'step')}{origin}{estimate}"


def calls_in_words(progress: MissionProgress) -> str:
    """Say how many calls a mission made, as its estimate counts them, and how many more failed without an answer."""
    unanswered = f" and {progress.unanswered_calls:,} without an answer" if progress.unanswered_calls else ""
    return f"{plural(progress.calls, 'call')}{unanswered}"


def add_plan(page: Page, plan: PlanView) -> None:
    """Add the plan with who does what from which documents, and the estimate with what the mission took."""
    facts = [
        plan.kind.replace("_", " "),
        plan.complexity.value,
        *([f"at most {dollars(plan.cap_usd)} by {_cap_of(plan)}"] if plan.cap_usd is not None else []),
        *([_ORIGINS[plan.origin]] if plan.origin in _ORIGINS else []),
        *([_STATES[plan.state]] if plan.state in _STATES else []),
        *([f"digest {plan.digest[:_DIGEST_CHARS]}"] if plan.digest else []),
    ]
    page.line(("  ·  ".join(facts), "dim"))
    if plan.budget_warning:
        page.line((f"▲ {plan.budget_warning}", "yellow"))
    columns: list[Column | str] = [fixed("key"), "step", fixed("by"), "needs", "reads"]
    page.table(
        [*columns, Column("calls", right=True, fixed=True), Column("cost", right=True, fixed=True)],
        [_row(step) for step in plan.steps],
    )
    if plan.estimate is not None:
        add_estimate(page, plan.estimate)


def show_plan(plan: PlanView) -> None:
    """Write the plan to standard error, unwrapped where that is no terminal; standard output is for the deliverable."""
    from rich.console import Console

    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    page = Page()
    page.line((f"Plan: {plan.title}", "bold"))
    add_plan(page, plan)
    with console.capture() as capture:
        console.print(page.drawn(console))
    lines = capture.get().splitlines()
    sys.stderr.write("".join(f"{line if console.is_terminal else line.rstrip()}\n" for line in lines))


def add_estimate(page: Page, estimate: EstimateView) -> None:
    """Add what the mission was estimated to take, and what it really took."""
    rows = [
        _range("calls", estimate.calls, lambda value: f"{value:,.0f}"),
        _range("tokens", estimate.tokens, lambda value: f"{value:,.0f}"),
        _range("cost", estimate.usd, dollars),
        _range("time", estimate.seconds, duration),
    ]
    columns: list[Column | str] = [
        "estimate",
        Column("low", right=True),
        Column("expected", right=True),
        Column("high", right=True),
    ]
    if estimate.calls.actual is not None:
        columns += [Column("took", right=True), ""]
    page.table(columns, rows)


def plan_document(plan: PlanView | None) -> dict[str, Any] | None:
    """Return the plan as `--json` prints it, with the estimate and what the mission took."""
    if plan is None:
        return None
    document: dict[str, Any] = document_of(plan)
    del document["headline"]
    if plan.estimate is not None:
        document["estimate"] = estimate_document(plan.estimate)
    return document


def estimate_document(estimate: EstimateView) -> dict[str, Any]:
    """Return an estimate as JSON; `within` says whether what the mission took is within the range."""
    return {
        name: document_of(amount) | {"within": amount.within}
        for name in ("calls", "tokens", "usd", "seconds")
        for amount in (getattr(estimate, name),)
    }


def _row(step: PlannedWork) -> tuple[Cell, ...]:
    return (
        step.key,
        step.title,
        (step.agent or step.role, "cyan"),
        (", ".join(step.needs), "dim"),
        _reads(step),
        "" if step.calls is None else str(step.calls),
        "" if step.usd is None else usd(step.usd),
    )


def _cap_of(plan: PlanView) -> str:
    return "its depth" if plan.own_budget_usd is None else "its budget"


def _reads(step: PlannedWork) -> str:
    """Return what a step reads, in words."""
    numbers = [str(number) for number in step.documents[:_NUMBERS_SHOWN]]
    if len(step.documents) > _NUMBERS_SHOWN:
        numbers.append(f"{len(step.documents) - _NUMBERS_SHOWN} more")
    named = [*([f"documents {', '.join(numbers)}"] if numbers else []), *step.folders]
    if step.columns:
        return f"every one of {', '.join(named) or 'all documents'}, for {', '.join(step.columns)}"
    if named:
        return ", ".join(named)
    return "all sources" if step.researches else ""


def _range(name: str, amount: AmountRange, display: Callable[[float], str]) -> tuple[Cell, ...]:
    row: tuple[Cell, ...] = (name, display(amount.low), display(amount.expected), display(amount.high))
    if amount.actual is None:
        return row
    verdict: Cell = ("within the range", "green") if amount.within else ("outside the range", "yellow")
    return (*row, display(amount.actual), verdict)
