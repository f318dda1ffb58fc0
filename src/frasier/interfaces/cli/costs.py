"""`frasier costs`: spending by purpose, and how full the caps are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.output import Column, Page, short, show_view, usd
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.with_services import JsonOption
from frasier.kernel.humanize import plural

if TYPE_CHECKING:
    from frasier.overview import Bill, CostRow

SinceOption = Annotated[
    datetime | None,
    typer.Option("--since", formats=["%Y-%m-%d"], help="Only what was spent from this day (UTC) on."),
]
MissionOption = Annotated[
    str | None, typer.Option("--mission", "-m", help="Only one mission: its id, a part of it, or `last`.")
]
_SPLITS = {
    "by_tier": "tier",
    "by_model": "model",
    "by_mission": "mission",
    "by_agent": "agent",
    "by_day": "day",
}
# Columns that are shown only if they have values.
_TROUBLE = {
    "failed": "failed_calls",
    "unknown": "unknown_calls",
    "degraded": "degraded_calls",
    "in flight": "reserved_usd",
}


def costs(
    context: typer.Context,
    since: SinceOption = None,
    mission: MissionOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what was spent. By tier, model, mission and day; and how full the caps are."""
    from frasier.interfaces.operations.organisation.costs import GET

    arguments = {"since": since.date() if since else None, "mission": mission}
    show_view(ask_organisation(context, GET, arguments).costs, _draw_costs, as_json=as_json)


def _draw_costs(page: Page, view: Bill) -> None:
    total = view.total
    page.line(
        (usd(total.cost_usd), "bold"),
        f" for {plural(total.calls, 'call')}"
        + (f" ({total.failed_calls:,} of them failed)" if total.failed_calls else "")
        + f", {total.tokens_in:,} tokens read"
        + (f" ({total.tokens_cached:,} of them from a cache)" if total.tokens_cached else "")
        + f", {total.tokens_out:,} written",
    )
    if total.rehearsal_calls:
        page.line((f"Rehearsed, without asking a model: {plural(total.rehearsal_calls, 'call')}.", "dim"))
    if total.unknown_calls:
        unknown = plural(total.unknown_calls, "call")
        page.line((f"Charged as reserved, because the outcome is unknown: {unknown}.", "yellow"))
    trouble = [title for title, key in _TROUBLE.items() if getattr(total, key)]
    for split, name in _SPLITS.items():
        _add_split(page, name, getattr(view, split), trouble)
    page.heading("Caps")
    for scope, name in (("day", "today"), ("month", "this month")):
        cap = view.caps[scope]
        flight = f" (+ {usd(cap.reserved_usd)} in flight)" if cap.reserved_usd else ""
        page.line(f"{usd(cap.spent_usd)} of {usd(cap.cap_usd)} {name}{flight}", (f"  {cap.key} UTC", "dim"))


def _add_split(page: Page, name: str, lines: Sequence[CostRow], trouble: list[str]) -> None:
    if not lines:
        return
    page.heading(f"By {name}")
    counts = ("calls", "tokens in", "tokens out", *trouble, "cost")
    page.table(
        [name, *(Column(count, fixed=True, right=True) for count in counts)],
        [
            (
                _name(line),
                f"{line.calls:,}",
                f"{line.tokens_in:,}",
                f"{line.tokens_out:,}",
                *(_trouble(getattr(line, _TROUBLE[title])) for title in trouble),
                usd(line.cost_usd),
            )
            for line in lines
        ],
    )


def _name(line: CostRow) -> str:
    from frasier.overview import MissionCost

    if not isinstance(line, MissionCost):
        return line.key or "nobody"
    return f"{short(line.key)} {line.title}" if line.key else line.title


def _trouble(number: float) -> tuple[str, str]:
    """Format a number of failures, or dollars."""
    if not number:
        return ("0", "dim")
    return (f"{number:,}" if isinstance(number, int) else usd(number), "yellow")
