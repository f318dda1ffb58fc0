"""The stated range of an estimate covers what missions really take, over models drawn from seeds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from frasier.llm import Caps, LlmSettings
from frasier.llm.settings import ModelPrice
from frasier.org.missions import MissionStatus
from frasier.overview import EstimateView
from support.drawn_model import DrawnModel
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import carry_out, organisation, write_documents

SHARE_MIN = 0.8
PRICES = {
    model: ModelPrice(input=Decimal(read), output=Decimal(written))
    for model, read, written in (("m1", 1, 4), ("m2", 3, 15), ("m3", 15, 75))
}
PARAGRAPHS = 40


@dataclass
class _Swapped:
    """A responder that is the model of the mission at hand."""

    model: DrawnModel = field(default_factory=lambda: DrawnModel(0))

    def __call__(self, body: dict[str, Any]) -> ScriptedAnswer:
        return self.model(body)


def _documents(folder: Path) -> Path:
    """Write four documents of some pages."""
    return write_documents(
        folder,
        {
            f"{drink}.md": f"# {drink}\n\n"
            + "\n\n".join(
                f"## Sort {number}\n\nSort {number} of {drink} is brewed with water of {60 + number} degrees for "
                f"{number + 1} minutes. It is stored for {number + 2} months, in a closed tin away from light."
                for number in range(PARAGRAPHS)
            )
            for drink in ("tea", "coffee", "cocoa", "mate")
        },
    )


async def _estimates(
    database_url: str, tmp_path: Path, seeds: range, *, seconds_per_token: float = 0.0
) -> dict[int, EstimateView]:
    """Carry out a mission with the model of each seed, in one organisation; return their estimates."""
    swapped = _Swapped()
    estimates = {}
    folder = _documents(tmp_path / "drinks")
    with ModelServer(swapped) as server:
        llm = LlmSettings(
            base_url=server.base_url,
            t1_model="m1",
            t2_model="m2",
            t3_model="m3",
            prices=PRICES,
            # Fifty missions are more than a day's work.
            caps=Caps(day_usd=Decimal(1_000), month_usd=Decimal(1_000)),
        )
        async with organisation(database_url, tmp_path / "home", llm=llm) as services:
            for seed in seeds:
                swapped.model = DrawnModel(seed, seconds_per_token=seconds_per_token)
                progress = await carry_out(services, folder, out=tmp_path / f"out-{seed}", seconds=600)
                assert progress.status is MissionStatus.DELIVERED, progress
                assert progress.plan
                assert progress.plan.estimate
                estimates[seed] = progress.plan.estimate
    return estimates


def _covered(estimates: dict[int, EstimateView], *names: str) -> Counter[str]:
    return Counter(name for view in estimates.values() for name in names if getattr(view, name).within)


async def test_the_range_covers_calls_tokens_and_dollars_of_most_missions(
    database_url: str, tmp_path: Path
) -> None:
    seeds = range(1, 6)
    estimates = await _estimates(database_url, tmp_path, seeds)
    names = ("calls", "tokens", "usd")
    covered = _covered(estimates, *names)
    assert all(covered[name] >= SHARE_MIN * len(seeds) for name in names), (covered, estimates)


@pytest.mark.slow
@pytest.mark.timeout(3_600)
async def test_the_range_covers_eighty_per_cent_of_fifty_missions(database_url: str, tmp_path: Path) -> None:
    # The first missions teach the ledger how long this server takes.
    estimates = await _estimates(database_url, tmp_path, range(100, 153), seconds_per_token=0.0006)
    counted = {seed: view for seed, view in estimates.items() if seed >= 103}
    names = ("calls", "tokens", "usd", "seconds")
    covered = _covered(counted, *names)
    print(f"of {len(counted)} missions the range covers: {dict(covered)}")
    assert all(covered[name] >= SHARE_MIN * len(counted) for name in names), (covered, counted)
