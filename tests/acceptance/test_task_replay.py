"""A task row that was changed past the program is found: by `events verify`, and by `doctor`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from frasier.store import Database
from frasier.store.embedded import EmbeddedServer
from support.cli import FrasierProgram
from support.cli_states import planned_mission
from support.cli_task import TaskProgram, task_program


@pytest.fixture
def kettle(server: EmbeddedServer, tmp_path: Path) -> Iterator[TaskProgram]:
    with task_program(server, tmp_path, real=False) as program:
        yield program


def forge(kettle: TaskProgram, change: str) -> None:
    with psycopg.connect(kettle.url) as connection:
        assert connection.execute(f"update workflow_tasks set {change} where slug = 'tea'").rowcount == 1


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ('fields = fields || \'{"description": "Coffee."}\'', "field description"),
        (
            "status = 'approved', role = 'qa', claimable = true",
            "status is 'approved', its history says 'ready'",
        ),
        ("strikes = 3", "strikes is 3, its history says 0"),
    ],
)
def test_a_forged_task_is_found_and_named(kettle: TaskProgram, change: str, told: str) -> None:
    kettle.ready(name="tea")
    kettle.ready(name="cup")
    verified = kettle.frasier("events", "verify").out
    assert "2 of 2 tasks replayed: they are where their events lead" in verified
    forge(kettle, change)
    ended = kettle.frasier("events", "verify", "--tasks", "all", code=7)
    assert "kettle/tea: " in ended.out
    assert told in ended.out
    assert "cup" not in ended.out


async def test_a_forged_step_of_a_mission_is_found_too(
    db: Database, home: Path, frasier: FrasierProgram
) -> None:
    async with db.transaction() as tx:
        await planned_mission(tx, home)
    assert frasier.json("events", "verify")["tasks"]["differing"] == []
    async with db.transaction() as tx:
        await tx.execute(
            "update workflow_tasks set attempt = 7 where process = 'mission_step' and num in"
            " (select min(num) from workflow_tasks where process = 'mission_step')"
        )
    found = frasier.json("events", "verify", "--tasks", "all", code=7)
    assert found["verified"] is False
    assert found["tasks"]["replayed"] == found["tasks"]["of"] > 1
    [differing] = found["tasks"]["differing"]
    assert differing["problems"] == ["attempt is 7, its history says 0"]
    checks = {one["name"]: one for one in frasier.json("doctor", code=7)["checks"]}
    assert checks["tasks"]["state"] == "fail"
    assert "attempt is 7" in checks["tasks"]["found"]


def test_markers_tell_the_role_of_whoever_acted_and_a_declared_command_its_arguments(
    kettle: TaskProgram, tmp_path: Path
) -> None:
    kettle.ready(name="tea")
    kettle.told("boss", "move", "tea", "cancel", "--field", "reason=No tea today.")
    with psycopg.connect(kettle.url) as connection:
        rows = connection.execute(
            "select content from memory_items where kind = 'marker' order by num"
        ).fetchall()
    assert [" ".join(row[0].split()[:4]) for row in rows] == [
        "TASK CREATED: LIAISON tea",
        "TASK pending→ready: LIAISON tea",
        "TASK ready→cancelled: FOUNDER tea",
    ]
    given = [
        "unit",
        "--folder",
        str(tmp_path),
        "--",
        "python3",
        "-m",
        "unittest",
        "--token=sk-or-v1-" + "a" * 64,
    ]
    kettle.told("boss", "command", "declare", *given)
    events = json.loads(kettle.run("boss", "events", "tail", "--json", group="").out)["events"]
    [declared] = [one["payload"] for one in events if one["kind"] == "command.declared"]
    assert declared["arguments"][:3] == ["python3", "-m", "unittest"]
    assert "a" * 64 not in str(declared)
    assert (declared["folder"], len(declared["arguments_digest"])) == (str(tmp_path), 64)
