"""`frasier telemetry`: what is shown of a mission is what its runners stamped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from frasier.overview import read_telemetry
from frasier.store import Database
from support.cli import FrasierProgram
from support.organisation import carry_out, organisation, write_documents
from support.telemetry_sums import check_telemetry


async def test_a_finished_mission_shows_where_its_time_and_money_went(
    frasier: FrasierProgram, database_url: str, tmp_path: Path, home: Path
) -> None:
    async with organisation(database_url, home) as services:
        progress = await carry_out(services, write_documents(tmp_path / "docs"))
        async with services.board.database.transaction() as tx:
            telemetry = await read_telemetry(tx, "last")
            await check_telemetry(tx, telemetry)
    document: dict[str, Any] = frasier.json("telemetry", "last")
    assert document["mission"] == str(progress.mission_id)
    assert document["wall_seconds"] == telemetry.wall_seconds
    assert document["spending"]["calls"] == telemetry.spending.calls > 0
    tasks = {task["key"]: task for task in document["tasks"]}
    assert {"plan", "final"} <= tasks.keys()
    final = tasks["final"]
    assert [stretch["use"] for stretch in final["stretches"]] == ["dependencies", "queue", "work", "review"]
    (run,) = final["runs"]
    assert (run["attempt"], run["outcome"]) == (1, "done")
    assert [phase["phase"] for phase in run["phases"]][:2] == ["context", "decompose"]
    assert final["seconds"]["work"] > 0
    assert document["critical_path"][-1]["key"].startswith("final-v1-")
    shown = frasier("telemetry").out
    for text in ("Timeline", "Critical path", "waits for a worker", "context", "Models", "rehearsal"):
        assert text in shown
    narrow = frasier.on_terminal("telemetry", columns=80)
    assert "final" in narrow


def test_a_mission_that_nobody_knows_is_not_found(frasier: FrasierProgram, db: Database) -> None:
    assert frasier.json("telemetry", "ffffffff", code=3)["error"]["code"] == "not_found"
