"""Ctrl-C and SIGTERM: the program says how to go on, gives its leases back at once, and nothing that was answered is asked again."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.crash import ColdStart, Drill, connect_for_checks
from support.mission_invariants import Summary, check_invariants, doubtful_calls


@pytest.fixture
def cold() -> Iterator[ColdStart]:
    """Starts the program as a person does."""
    with ColdStart() as starter:
        yield starter


@pytest.mark.parametrize(
    "number",
    [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)],
    ids=lambda number: number.name,
)
def test_an_interrupted_run_gives_its_task_back_and_is_resumed(
    number: signal.Signals, cold: ColdStart, database_url: str, tmp_path: Path, undisturbed: Summary
) -> None:
    drill = Drill(cold, tmp_path, database_url)
    working = drill.run("phase.checkpointed:stop:3", as_json=False)
    working.until_stopped()
    working.send(number)
    working.wake()
    ended = working.until_ended()

    assert ended.code == 130, ended
    assert ended.out == ""
    with connect_for_checks(database_url) as connection:
        mission = str(connection.execute("select id from org_missions").fetchall()[0]["id"])
        leased = connection.execute(
            "select slug from workflow_tasks where lease_owner is not null"
        ).fetchall()
        released = connection.execute("select payload from events where kind = 'task.release'").fetchall()
    assert f"Nothing is lost; `frasier resume {mission[-8:]}` goes on." in ended.err
    assert leased == []
    assert [row["payload"]["reason"] for row in released] == ["the worker was stopped"]

    resumed = drill.resume().until_ended()
    assert resumed.code == 0, resumed
    assert check_invariants(drill, database_url, mission) == undisturbed
    with connect_for_checks(database_url) as connection:
        # The next question may have been on its way to the ledger at that moment; no other is asked again.
        assert len(doubtful_calls(connection, mission)) <= 1
