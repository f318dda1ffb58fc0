"""The example of suppliers in a rehearsal: the valid offers with price and date, the revoked price, and the budget."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from frasier.org.missions import MissionStatus
from support.organisation import carry_out, organisation

EXAMPLE = Path(__file__).parents[2] / "examples" / "suppliers"


@pytest.fixture
async def folder(database_url: str, tmp_path: Path) -> Path:
    """The delivered folder of the example."""
    directive = (EXAMPLE / "directive.txt").read_text("utf-8").strip()
    async with organisation(database_url, tmp_path / "home") as services:
        progress = await carry_out(services, EXAMPLE / "sources", directive=directive, out=tmp_path / "out")
    assert progress.status is MissionStatus.DELIVERED
    assert progress.path
    return Path(progress.path).parent if progress.path.endswith(".md") else Path(progress.path)


async def test_the_example_is_answered_by_fields_and_dates(folder: Path) -> None:
    text = (folder / "deliverable.md").read_text("utf-8")
    provenance = json.loads((folder / "provenance.json").read_text("utf-8"))
    numbers = {source["title"]: source["number"] for source in provenance["sources"]}
    mail, brookfield = numbers["Quotation BF-2207, price of the CX-4"], numbers["offer-brookfield"]
    arvensis = numbers["Offer 2026-118 of Arvensis Pumps"]
    lines = text.splitlines()

    def has_line(*parts: str) -> bool:
        return any(all(part in line for part in parts) for line in lines)

    # Both that deliver in time, with the price that holds.
    assert has_line("Circulation pump AP-40", "EUR 1,240.00", "22 May 2026", f"[{arvensis}]")
    assert has_line("Delivery date: 18 May 2026", f"[{brookfield}]")
    assert has_line("We can offer the CX-4 at 1,310.00 EUR.", f"[{mail}]")
    # The one that does not, and the budget.
    assert has_line("offer-cascadia", "nothing in it meets “before June 2026”")
    assert has_line("Budget: 1,300 EUR", f"[{numbers['purchasing-note']}]")
    # The revoked price stands beside what revokes it, and nowhere without its mark.
    assert has_line(f"revoked by [{mail}] – Unit price: 1,095.00 EUR [{brookfield}]")
    assert has_line("The price of 1,095.00 EUR for the CX-4 is no longer valid", f"[{mail}]")
    unmarked = [
        line
        for line in lines
        if "1,095.00" in line and "evoked by" not in line and "no longer valid" not in line
    ]
    assert unmarked == []


async def test_every_statement_of_the_example_is_verified(folder: Path) -> None:
    provenance = json.loads((folder / "provenance.json").read_text("utf-8"))
    [final] = [step for step in provenance["steps"] if step["is_final"]]
    verification = final["versions"][-1]["verification"]
    assert verification["statements"] == verification["verified"] > 10
