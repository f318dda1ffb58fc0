"""Costs: what was spent since a day, on what, and how full the caps are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, timedelta

from markupsafe import Markup

from frasier.interfaces.web.charts import Bar, bar_chart
from frasier.interfaces.web.page import Fragment, PageContent, PageRequest, PageRoute
from frasier.kernel.errors import InvalidInput
from frasier.kernel.humanize import dollars, plural
from frasier.overview import Bill, CostRow, MissionCost, present_day, read_costs

_MISSIONS_SHOWN = 25
_DAYS_SHOWN = 31

PERIODS: dict[str, Callable[[date], date | None]] = {
    "today": lambda today: today,
    "yesterday on": lambda today: today - timedelta(days=1),
    "7 days": lambda today: today - timedelta(days=6),
    "this month": lambda today: today.replace(day=1),
    "always": lambda _today: None,
}
"""Periods by the names that the filter shows, with their first day."""

_DEFAULT = "this month"


async def _read(request: PageRequest) -> PageContent:
    period = request.query.get("period", _DEFAULT)
    if period not in PERIODS:
        raise InvalidInput(
            f"There is no period {period[:40]!r}.",
            kept="Nothing was changed.",
            hint=f"There are {', '.join(PERIODS)}.",
        )
    services = request.services
    today = await services.in_transaction(present_day, services.setup.caps)
    bill = await services.in_transaction(read_costs, services.setup.caps, since=PERIODS[period](today))
    values = {"bill": bill, "charts": _charts(bill, today)}
    return PageContent(
        title="Costs",
        fragments=(
            Fragment(id="costs-total", template="costs/total.html", values=values),
            Fragment(id="costs-charts", template="costs/charts.html", values=values),
        ),
        values={"periods": tuple(PERIODS), "period": period},
    )


def _charts(bill: Bill, today: date) -> dict[str, Markup]:
    missions = bill.by_mission[:_MISSIONS_SHOWN]
    return {
        "By day (UTC)": bar_chart(
            _caption("Cost of each day", len(bill.by_day), _DAYS_SHOWN, "newest"),
            [_day_bar(row, today) for row in reversed(bill.by_day[-_DAYS_SHOWN:])],
        ),
        "By mission": bar_chart(
            _caption(
                "Cost of each mission, the highest first", len(bill.by_mission), _MISSIONS_SHOWN, "first"
            ),
            list(map(_mission_bar, missions)),
        ),
        "By agent": bar_chart("Cost of each agent's work", _bars(bill.by_agent)),
        "By tier": bar_chart("Cost of each tier", _bars(bill.by_tier)),
        "By model": bar_chart("Cost of each model", _bars(bill.by_model)),
    }


def _caption(text: str, rows: int, limit: int, which: str) -> str:
    """Say which part of the rows a chart shows, if it does not show all."""
    return text if rows <= limit else f"{text}; the {which} {limit} of {rows:,}"


def _bars(rows: Iterable[CostRow]) -> list[Bar]:
    return [Bar(label=row.key or "nobody", value=row.cost_usd, shown=_cost_text(row)) for row in rows]


def _day_bar(row: CostRow, today: date) -> Bar:
    day = date.fromisoformat(row.key)
    names = {today: "today", today - timedelta(days=1): "yesterday"}
    return Bar(label=names.get(day) or f"{day.day} {day:%b %Y}", value=row.cost_usd, shown=_cost_text(row))


def _mission_bar(row: MissionCost) -> Bar:
    return Bar(
        label=row.title,
        value=row.cost_usd,
        shown=_cost_text(row),
        href=f"/missions/{row.key}" if row.is_mission else "",
    )


def _cost_text(row: CostRow) -> str:
    return f"{dollars(row.cost_usd)}, {plural(row.calls, 'call')}"


PAGES = (PageRoute(path="/costs", section="Costs", template="costs/page.html", read=_read),)
