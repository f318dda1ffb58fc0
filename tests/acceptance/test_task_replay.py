"""A task row that was changed past the program is found: by `events verify`, and by `doctor`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import psycopg
import pytest

from frasier.board.agent_inbox import audit_replay
from frasier.board.agent_inbox.audit_replay import replay_tasks
from frasier.store import Database, Tx
from frasier.store.embedded import EmbeddedServer
from frasier.workflow import Actor, ActorKind
from frasier.workflow.processes.process_loader import _known, processes, read_process
from support.board_team import open_team
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


async def test_tasks_that_come_while_all_are_replayed_are_counted(
    db: Database, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks_gone = audit_replay._tasks_gone

    async def plan_meanwhile(tx: Tx) -> dict[str, list[str]]:
        async with db.transaction() as other:
            await planned_mission(other, home)
        return await tasks_gone(tx)

    monkeypatch.setattr(audit_replay, "_tasks_gone", plan_meanwhile)
    report = await replay_tasks(db)
    assert report.tasks == report.replayed > 0


def test_markers_tell_the_role_of_whoever_acted_and_a_declared_command_its_arguments(
    kettle: TaskProgram, tmp_path: Path
) -> None:
    kettle.ready(name="tea")
    kettle.output("boss", "move", "tea", "cancel", "--field", "reason=No tea today.")
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
        "--password",
        "hunter2hunter",
        "--api-token",
        "abcdEFGH",
        "-u",
        "user:Pass99",
    ]
    kettle.output("boss", "command", "declare", *given)
    events = json.loads(kettle.run("boss", "events", "tail", "--json", group="").out)["events"]
    [declared] = [one["payload"] for one in events if one["kind"] == "command.declared"]
    assert declared["arguments"][:3] == ["python3", "-m", "unittest"]
    assert not [one for one in ("a" * 64, "hunter2", "EFGH", "Pass99") if one in str(declared)]
    assert (declared["folder"], len(declared["arguments_digest"])) == (str(tmp_path), 64)


@pytest.mark.parametrize("judgements", ['{"x": 1}', '{"move approve_design": {}}'])
def test_a_row_that_cannot_be_read_hides_nothing_else(kettle: TaskProgram, judgements: str) -> None:
    kettle.ready(name="tea")
    forge(kettle, f"judgements = '{judgements}'")
    ended = kettle.frasier("events", "verify", code=7).out
    assert "chained" in ended
    assert "kettle/tea: " in ended
    checks = {
        one["name"]: one for one in json.loads(kettle.frasier("doctor", "--json", code=7).out)["checks"]
    }
    assert (checks["audit log"]["state"], checks["tasks"]["state"]) == ("ok", "fail")


def test_what_of_a_row_its_history_tells_is_compared_and_a_task_that_is_gone_is_missed(
    kettle: TaskProgram, server: EmbeddedServer
) -> None:
    kettle.ready(name="tea")
    kettle.ready(name="cup")
    forge(kettle, "title = 'Coffee', pending_deps = 5, claimable = false")
    told = kettle.frasier("events", "verify", "--tasks", "all", code=7).out
    for what in ("title is 'Coffee'", "open dependencies is 5", "claimable is False"):
        assert what in " ".join(told.split())
    owner = server.url("postgres", psycopg.conninfo.conninfo_to_dict(kettle.url)["dbname"])
    with psycopg.connect(owner) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute("delete from workflow_tasks where slug = 'cup'")
    told = kettle.frasier("events", "verify", "--tasks", "all", code=7).out
    assert "cup (" in told
    assert "it is gone, and its history is there" in " ".join(told.split())


async def test_forged_judgements_are_found_also_where_they_were_cleared(db: Database) -> None:
    async with open_team(db) as team:
        await team.designed()
        await team.approve("tea")
        version = (await team("boss", "task_get", task="tea"))["version"]
        await forge_task(
            db, "judgements = jsonb_set(judgements, '{move approve_design,by}', '\"founder:x\"')"
        )
        assert "approve_design, by is 'founder:x'" in str((await replay_tasks(db)).differing)
        await forge_task(
            db, "judgements = jsonb_set(judgements, '{move approve_design,by}', '\"member:token:lia\"')"
        )
        await team("boss", "task_edit", task="tea", version=version, fields={"description": "Coffee."})
        assert (await replay_tasks(db)).differing == {}
        await forge_task(db, "judgements = '{}'")
        assert "judgement move approve_design is None" in str((await replay_tasks(db)).differing)


async def forge_task(db: Database, change: str) -> None:
    async with db.transaction() as tx:
        await tx.execute(f"update workflow_tasks set {change}")


async def test_events_that_cannot_be_read_are_a_problem_of_their_task_alone(
    db: Database, server: EmbeddedServer, database_name: str
) -> None:
    async with open_team(db) as team:
        await team.designed()
        await team.approve("tea")
        await team.ready("cup")
    async with await psycopg.AsyncConnection.connect(server.url("postgres", database_name)) as owner:
        await owner.execute("alter table events disable trigger all")
        await owner.execute(
            "update events set kind = 'task.send_back_to', payload = payload || '{\"rework_target_role\": \"nobody\"}'"
            " where kind = 'task.approve_design'"
        )
    found = await replay_tasks(db)
    assert found.differing.keys() == {"kettle/tea"}
    assert "its events cannot be read" in found.differing["kettle/tea"][0]


async def test_a_changed_table_of_the_founder_is_no_forgery(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = files("frasier.board").joinpath("processes/pdsa_task.toml").read_text("utf-8")
    table = table.replace('name = "pdsa_task"', 'name = "own_task"')
    changed = table.replace('name = "ready"\nfrom', 'name = "make_ready"\nfrom')
    assert changed != table
    processes()
    known = _known
    monkeypatch.setitem(known, "own_task", read_process(table))
    async with open_team(db) as team:
        await team.ready("tea", process="own_task")
        assert (await replay_tasks(db)).replayed == 1
        monkeypatch.setitem(known, "own_task", read_process(changed))
        found = await replay_tasks(db)
        assert (found.replayed, found.changed, found.differing) == (0, 1, {})
        monkeypatch.delitem(known, "own_task")
        found = await replay_tasks(db)
        assert (found.replayed, found.changed, found.differing) == (0, 1, {})
        await forge_task(db, "title = 'Coffee'")
        assert "title is 'Coffee'" in str((await replay_tasks(db)).differing)


def test_whoever_has_several_roles_acts_in_one_that_the_move_is_open_to() -> None:
    mix = Actor(ActorKind.MEMBER, "mix", frozenset({"dev", "qa", "liaison"}))
    assert mix.acting_as("qa", {"liaison"}) == "liaison"
    assert (
        mix.acting_as("qa", {"owner"})
        == mix.acting_as("qa", {"qa", "liaison"})
        == mix.acting_as("qa")
        == "qa"
    )
    assert mix.acting_as("pdsa", {"liaison", "founder"}) == "liaison"
