"""`frasier postmortem`: the figures are those of the telemetry and the verdicts, in every form the same."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from lxml import html

from frasier.interfaces.services import Services
from frasier.org.improvement import NewPostMortem, missions_without_post_mortem, stored_post_mortem
from frasier.org.improvement.mark_reviews import mark_corrected
from frasier.org.missions import MissionStatus, find_mission, get_mission
from frasier.org.planning.mission_lifecycle import cancel_mission
from frasier.overview import compute_post_mortem
from frasier.store import Tx
from frasier.work import Directive, PostMortemRecorder
from support.cli import FrasierProgram
from support.figures import unknown_figures
from support.organisation import (
    DIRECTIVE,
    DOCUMENTS,
    carry_out,
    organisation,
    wait_until_settled,
    write_documents,
)


async def test_a_mission_has_a_post_mortem_in_every_form(
    frasier: FrasierProgram, database_url: str, tmp_path: Path, home: Path
) -> None:
    async with organisation(database_url, home) as services:
        await carry_out(services, write_documents(tmp_path / "docs"))
    document: dict[str, Any] = frasier.json("postmortem", "last")
    telemetry = document["telemetry"]
    assert telemetry == frasier.json("telemetry", "last") | {"as_of": telemetry["as_of"]}
    assert document["accepted"] == sum(task["process"] == "mission_step" for task in telemetry["tasks"])
    assert document["statements"] >= document["verified"] > 0
    assert [line["name"] for line in document["estimate"]] == ["calls", "tokens", "usd", "seconds"]
    assert document["estimate"][0]["actual"] == telemetry["spending"]["calls"]
    assert document["judgements"]["verdicts"] > 0
    assert document["findings"] == []
    assert document["stored_at"] > telemetry["ended_at"]
    assert document["later"] == []
    page = frasier("postmortem", "last", "--format", "html").out
    root = html.document_fromstring(page)
    assert root.xpath("//script") == []
    assert not re.search(r"(src|href)=", page)
    cells = {" ".join(cell.text_content().split()) for cell in root.xpath("//td | //th")}
    markdown = frasier("postmortem", "last", "--format", "markdown").out
    shown = frasier("postmortem", "last").out
    for figure in (
        f"{telemetry['wall_seconds']:.2f} s",
        f"{document['verified']} of {document['statements']}",
    ):
        assert figure in cells
        assert figure in markdown
        assert figure in shown
    for piece in telemetry["critical_path"]:
        assert f"{piece['seconds']:.2f} s" in cells
    for bar in root.xpath("//rect"):
        row = bar.xpath("ancestor::tr")[0]
        assert row.xpath("./td[normalize-space()]"), "a bar stands beside its figure"
    assert "not enough data" in shown
    assert unknown_figures((cell.text_content() for cell in root.xpath("//td")), document) == []


async def start(services: Services, folder: Path) -> UUID:
    request = Directive(text=DIRECTIVE, destination=services.home / "out", sources=(folder,))
    return (await services.take_directive(request)).mission.id


async def call_off(tx: Tx, mission_id: UUID) -> None:
    await cancel_mission(tx, await get_mission(tx, mission_id), reason="not wanted any more")


async def test_the_job_stores_what_no_process_saw_to_its_end(
    frasier: FrasierProgram, database_url: str, tmp_path: Path, home: Path
) -> None:
    folder = write_documents(tmp_path / "docs")
    async with organisation(database_url, home) as services:
        ended, cancelled = await start(services, folder), await start(services, folder)
        await services.in_transaction(call_off, cancelled)
        async with services.running(housekeeping=False):
            await wait_until_completed(services, ended)
        assert set(await services.in_transaction(missions_without_post_mortem)) == {ended, cancelled}
        assert frasier.json("postmortem", str(ended))["stored_at"] is None
        async with services.running(worker=False), asyncio.timeout(30):
            while await services.in_transaction(missions_without_post_mortem):
                await asyncio.sleep(0.05)
        stored = await services.in_transaction(stored_post_mortem, ended)
        assert await services.post_mortems.record_new() == 0
        assert await services.in_transaction(stored_post_mortem, ended) == stored
        assert stored is not None
        assert stored.document["telemetry"]["status"] == "delivered"
    document = frasier.json("postmortem", str(cancelled))
    assert (document["telemetry"]["status"], document["accepted"]) == ("cancelled", 0)
    assert document["telemetry"]["spending"]["calls"] == 0
    took = [frasier.json("missions", "show", str(cancelled))["duration_s"] for _ in range(2)]
    assert took[0] == took[1], "it has ended"
    assert took[0] == pytest.approx(document["telemetry"]["wall_seconds"], abs=0.1)
    assert document["stored_at"] is not None


async def wait_until_completed(services: Services, mission_id: UUID) -> None:
    async with asyncio.timeout(60):
        while (await services.in_transaction(get_mission, mission_id)).status is not MissionStatus.COMPLETED:
            await asyncio.sleep(0.1)


async def test_what_comes_after_the_end_is_counted_and_named(
    frasier: FrasierProgram, database_url: str, tmp_path: Path, home: Path
) -> None:
    async with organisation(database_url, home) as services:
        progress = await carry_out(services, write_documents(tmp_path / "docs"))
        before = frasier.json("postmortem", "last")
        mission = await services.in_transaction(get_mission, progress.mission_id)
        await services.in_transaction(mark_corrected, mission, "Say which of them keeps longest")
    after = frasier.json("postmortem", "last")
    assert after["later"] == [
        {"name": "results that the founder had corrected", "count": 1},
    ]
    assert (before["facts"]["corrections"], after["facts"]["corrections"]) == (0, 1)
    assert after["stored_at"] == before["stored_at"]
    shown = " ".join(frasier("postmortem", "last").out.split())
    assert "because of later facts: 1 result that the founder had corrected." in shown


async def test_a_post_mortem_that_cannot_be_computed_delays_no_other(
    database_url: str, tmp_path: Path, home: Path
) -> None:
    folder = write_documents(tmp_path / "docs")
    async with organisation(database_url, home) as services:
        missions = [await start(services, folder) for _ in range(2)]
        for mission_id in missions:
            await services.in_transaction(call_off, mission_id)

        async def compute(tx: Tx, mission_id: UUID) -> NewPostMortem | None:
            if mission_id == missions[1]:
                raise ZeroDivisionError
            return await compute_post_mortem(tx, mission_id)

        assert await PostMortemRecorder(services.in_transaction, compute).record_new() == 1
        assert await services.in_transaction(missions_without_post_mortem) == [missions[1]]
        assert (await services.in_transaction(find_mission, str(missions[1]))).status == "cancelled"


async def test_missions_are_compared_over_time(
    frasier: FrasierProgram, database_url: str, tmp_path: Path, home: Path
) -> None:
    assert "No mission has ended yet" in frasier("postmortem").out
    folder = write_documents(tmp_path / "docs", {"tea.md": DOCUMENTS["tea.md"]})
    async with organisation(database_url, home) as services:
        missions = [await start(services, folder) for _ in range(3)]
        await services.in_transaction(call_off, missions[0])
        async with services.running():
            for mission_id in missions[1:]:
                await wait_until_settled(services, mission_id)
        unread = await services.in_transaction(missions_without_post_mortem)
    assert unread == [], "the end of the process stores what its job did not"
    document = frasier.json("postmortem")
    assert document["rehearsal"] is True
    rows = {row["mission"]: row for row in document["missions"]}
    assert rows.keys() == {str(mission_id) for mission_id in missions}
    ends = [row["ended_at"] for row in document["missions"]]
    assert ends == sorted(ends)
    one = frasier.json("postmortem", str(missions[1]))
    assert rows[str(missions[1])]["waiting"] == pytest.approx(
        1
        - (one["telemetry"]["path_seconds"]["work"] + one["telemetry"]["path_seconds"]["model"])
        / sum(one["telemetry"]["path_seconds"].values())
    )
    assert rows[str(missions[0])]["usd_micros_per_accepted"] is None
    figures = {figure["name"]: figure for figure in document["figures"]}
    assert figures["time on the clock"]["median"] == {"n": 3, "value": None, "low": None, "high": None}
    assert figures["cost per accepted deliverable"]["median"]["n"] == 2
    assert document["judgements"]["verdicts"] >= one["judgements"]["verdicts"] / 2
    assert len(frasier.json("postmortem", "--limit", "2")["missions"]) == 2
    assert frasier.json("postmortem", "--since", "2999-01-01")["missions"] == []
    assert (
        "No mission has ended since 2999-01-01 00:00 UTC."
        in frasier("postmortem", "--since", "2999-01-01").out
    )
    frasier("postmortem", "last", "--limit", "2", code=2)
    shown = frasier("postmortem").out
    markdown = frasier("postmortem", "--format", "markdown").out
    page = html.document_fromstring(frasier("postmortem", "--format", "html").out)
    cells = {" ".join(cell.text_content().split()) for cell in page.xpath("//td | //th")}
    for text in ("not enough data (n = 3)", f"{rows[str(missions[1])]['seconds']:.2f} s"):
        assert text in " ".join(shown.split())
        assert text in markdown
        assert text in cells
    assert unknown_figures((cell.text_content() for cell in page.xpath("//td")), document) == []


async def test_a_mission_that_was_published_on_the_next_day_ended_the_day_before(
    frasier: FrasierProgram, database_url: str, tmp_path: Path, home: Path, owner_url: str
) -> None:
    async with organisation(database_url, home) as services:
        mission_id = await start(services, write_documents(tmp_path / "docs"))
        await services.in_transaction(call_off, mission_id)
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("update org_missions set updated_at = updated_at + interval '1 day'")
    (row,) = frasier.json("postmortem")["missions"]
    ended = datetime.fromisoformat(row["ended_at"])
    assert len(frasier.json("postmortem", "--since", f"{ended:%Y-%m-%d}")["missions"]) == 1
    assert frasier.json("postmortem", "--since", f"{ended + timedelta(days=1):%Y-%m-%d}")["missions"] == []
