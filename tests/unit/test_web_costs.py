"""The charts of costs say what they leave out, and lead to missions only."""

from __future__ import annotations

from datetime import date
from typing import Any

from frasier.interfaces.web.pages.costs import _charts
from frasier.overview import Bill, CostRow, MissionCost

NUMBERS: dict[str, Any] = {
    "calls": 1,
    "cost_usd": 0.00004,
    "reserved_usd": 0.0,
    "tokens_in": 1,
    "tokens_out": 1,
    "tokens_cached": 0,
    "failed_calls": 0,
    "unknown_calls": 0,
    "degraded_calls": 0,
    "rehearsal_calls": 0,
}


def test_a_chart_that_leaves_rows_out_says_so_and_only_missions_have_pages() -> None:
    rows = [
        MissionCost(key=f"m{number}", title="A talk", is_mission=number > 0, **NUMBERS)
        for number in range(26)
    ]
    bill = Bill(
        since=None,
        mission=None,
        total=CostRow(key="", **NUMBERS),
        by_tier=(),
        by_model=(),
        by_mission=tuple(rows),
        by_agent=(),
        by_day=(CostRow(key="2026-01-01", **NUMBERS),),
        caps={},
    )
    charts = _charts(bill, date(2026, 1, 1))
    assert "; the first 25 of 26" in charts["By mission"]
    assert 'href="/missions/m1"' in charts["By mission"]
    assert 'href="/missions/m0"' not in charts["By mission"]
    assert "Cost of each day<" in charts["By day (UTC)"]
    assert "$0.000040, 1 call<" in charts["By day (UTC)"]
