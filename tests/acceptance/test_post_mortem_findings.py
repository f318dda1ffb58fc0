"""Planted faults are found by post-mortems of missions that were played over a real database, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from frasier.org.execution import delivery
from frasier.overview import compute_post_mortem
from frasier.store import Database
from frasier.work import PostMortemRecorder
from support.cli import FrasierProgram
from support.planted_missions import (
    BAD_AUTHOR,
    CONTRARY,
    FACT,
    FLATTERER,
    Part,
    PlantedMissions,
    planted_missions,
)
from support.played_missions import Faults, PlayedOrganisation

SHORT, LONG = 18, 100


async def findings_of(
    frasier: FrasierProgram, played: PlayedOrganisation, missions: int
) -> list[tuple[str, str]]:
    """Play missions, and return what the post-mortem of the last one finds."""
    ids = await played.play(missions)
    document = frasier.json("postmortem", str(ids[-1]))
    return [(finding["kind"], finding["subject"]) for finding in document["findings"]]


@pytest.fixture
def organisation(db: Database, owner_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def create(seed: int, faults: Faults | None = None) -> PlayedOrganisation:
        played = PlayedOrganisation(db, owner_url, tmp_path / "out", seed, faults or Faults())
        monkeypatch.setattr(delivery, "ReviewerSearch", played)
        return played

    return create


async def test_a_bad_producer_is_found(frasier: FrasierProgram, organisation) -> None:
    played = organisation(1, Faults(bad_author=1))
    assert await findings_of(frasier, played, SHORT) == [("producer", played.authors[1].name)]


async def test_a_flatterer_is_found(frasier: FrasierProgram, organisation) -> None:
    played = organisation(2, Faults(flatterer=2))
    assert await findings_of(frasier, played, SHORT) == [("flattery", played.reviewers[2].name)]


async def test_a_reviewer_who_contradicts_the_founder_is_found(frasier: FrasierProgram, organisation) -> None:
    played = organisation(3, Faults(contrary=0))
    assert await findings_of(frasier, played, SHORT) == [("calibration", played.reviewers[0].name)]


async def test_a_bottleneck_is_found(frasier: FrasierProgram, organisation) -> None:
    played = organisation(4, Faults(slow_mission=7))
    assert await findings_of(frasier, played, 8) == [("bottleneck", "report")]


async def test_information_that_users_miss_is_found(
    frasier: FrasierProgram, db: Database, organisation
) -> None:
    played = organisation(7)
    ids = await played.play(2)
    assert await PostMortemRecorder(db.in_transaction, compute_post_mortem).record_new()
    before = frasier.json("postmortem", str(ids[-1]))
    assert before["findings"] == []
    for number in range(9):
        missing = ["The price of the water."] if number < 5 else [f"A chart of matter {number}."]
        await played.evaluate(ids[-1], f"token:m{number}", usefulness=3 + number % 2, missing=missing)
    document = frasier.json("postmortem", str(ids[-1]))
    assert [(one["kind"], one["subject"]) for one in document["findings"]] == [
        ("missing information", "The price of the water.")
    ]
    assert document["evaluations"]["of_mission"] == 9
    assert [(one["name"], one["count"]) for one in document["later"]] == [("evaluations", 9)]
    assert frasier.json("postmortem", str(ids[0]))["evaluations"]["of_mission"] == 0


async def planted_findings(planted: PlantedMissions, evaluations: int) -> set[tuple[str, str]]:
    """Return what the post-mortem of the last mission finds, once so many of its evaluations are given."""
    await planted.missions.finish(evaluations)
    document = (await planted.missions.api.call("post_mortem_get"))["post_mortem"]
    return {(finding["kind"], finding["subject"]) for finding in document["findings"]}


async def test_in_a_mission_that_workers_play_a_slow_step_and_missing_information_are_found(
    database_url: str, owner_url: str, tmp_path: Path
) -> None:
    async with planted_missions(database_url, owner_url, tmp_path) as planted:
        await planted.missions.allow()
        await planted.play(*[Part()] * 7, slow=True)
        # Seven parts by the assembler, and the result by its three reviewers.
        assert await planted_findings(planted, 10) == {("bottleneck", "final"), ("missing information", FACT)}


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_in_missions_that_workers_play_every_planted_fault_is_found(
    database_url: str, owner_url: str, tmp_path: Path
) -> None:
    async with planted_missions(database_url, owner_url, tmp_path, reviewed_by_all=True) as planted:
        await planted.missions.allow()
        await planted.play(*[Part(author="wren")] * 8, *[Part()] * 4)
        await planted.play(*[Part(judged=True)] * 8, slow=True)
        assert await planted_findings(planted, 8) == {
            ("producer", BAD_AUTHOR),
            ("flattery", FLATTERER),
            ("no variance", FLATTERER),
            ("calibration", CONTRARY),
            ("bottleneck", "final"),
            ("missing information", FACT),
        }


async def test_an_evaluator_who_flatters_and_one_without_signal_are_found(
    frasier: FrasierProgram, organisation
) -> None:
    played = organisation(8)
    ids = await played.play(10)
    for number, mission in enumerate(ids):
        good = 2 + number % 3
        for name, usefulness in (("a", good), ("b", 2 + (number + 1) % 3), ("kind", good + 1), ("same", 5)):
            await played.evaluate(mission, f"token:{name}", usefulness=usefulness)
    document = frasier.json("postmortem", str(ids[-1]))
    found = [(one["kind"], one["subject"]) for one in document["findings"]]
    assert found == [("flattery", "token:kind"), ("no signal", "token:same")]
    assert document["evaluations"]["evaluations"] == 30
    shown = frasier("postmortem", str(ids[-1])).out
    assert "left out of token:same, who always gives the same" in " ".join(shown.split())


async def findings_in(database: Database, played: PlayedOrganisation, missions: int) -> list[str]:
    """Play missions without a fault, and return the findings of all post-mortems that are stored at their ends."""
    await played.play(missions)
    recorder = PostMortemRecorder(database.in_transaction, compute_post_mortem)
    stored = 0
    while count := await recorder.record_new():
        stored += count
    assert stored == missions
    async with database.transaction() as tx:
        rows = await (
            await tx.execute("select document -> 'findings' as findings from org_post_mortems")
        ).fetchall()
    return [f"{finding['kind']} {finding['subject']}" for row in rows for finding in row["findings"]]


async def test_clean_missions_give_no_finding(db: Database, organisation) -> None:
    assert await findings_in(db, organisation(5), 10) == []


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_a_hundred_clean_missions_give_at_most_two_findings(db: Database, organisation) -> None:
    findings = await findings_in(db, organisation(6), LONG)
    assert len(findings) <= 2, findings
