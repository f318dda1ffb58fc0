"""`frasier telemetry`: what is shown of a mission is what its runners stamped."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from frasier.overview import read_telemetry
from frasier.overview.present_moment import present_moment
from frasier.overview.telemetry import read
from frasier.store import Database, Tx
from frasier.workflow import Task
from support.cli import FrasierProgram
from support.cli_states import planned_mission, take
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


async def test_what_begins_while_it_is_read_has_lasted_no_negative_time(
    db: Database, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with db.transaction() as tx:
        await planned_mission(tx, home)
    tasks_of, moments = read.tasks_of, list[datetime]()

    async def begin_then_read(tx: Tx, mission_id: UUID) -> list[Task]:
        async with db.transaction() as other:
            moments.append(await present_moment(other))
            await take(other, "mission_step")
        return await tasks_of(tx, mission_id)

    monkeypatch.setattr(read, "tasks_of", begin_then_read)
    async with db.transaction() as tx:
        telemetry = await read_telemetry(tx, "last")
    begun = max(stretch.started_at for task in telemetry.tasks for stretch in task.stretches)
    assert moments[0] < begun <= telemetry.as_of, "a step was taken meanwhile"
