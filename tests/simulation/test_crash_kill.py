"""kill -9 of the program at every named fault point: the next start finishes the mission, and nothing is done twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.crash import MISSION_POINTS, Drill, connect_for_checks, expire_sending
from support.mission_invariants import Summary, check_invariants, doubtful_calls
from support.warm_start import WarmStart

# The call at whose midst these two are; wherever else the program dies, none is in flight.
IN_FLIGHT = {"llm.intent_committed", "llm.reply_received"}


def _killed_and_resumed(drill: Drill, url: str, fault: str) -> str:
    drill.run(fault).until_killed()
    expire_sending(url)
    ended = drill.resume().until_ended()
    assert ended.code == 0, ended
    return str(ended.report["mission"])


@pytest.mark.parametrize("point", MISSION_POINTS)
def test_the_next_start_finishes_the_mission(
    point: str, warm: WarmStart, database_url: str, tmp_path: Path, undisturbed: Summary
) -> None:
    drill = Drill(warm, tmp_path, database_url)
    mission = _killed_and_resumed(drill, database_url, f"{point}:kill")
    assert check_invariants(drill, database_url, mission) == undisturbed
    with connect_for_checks(database_url) as connection:
        assert len(doubtful_calls(connection, mission)) == (point in IN_FLIGHT)


@pytest.mark.parametrize(
    "fault",
    [
        "claim.committed:kill:4",
        pytest.param("llm.intent_committed:kill:9", marks=pytest.mark.slow),
        pytest.param("phase.checkpointed:kill:7", marks=pytest.mark.slow),
        "outbox.claimed:kill:2",  # the second effect is the announcement
        pytest.param("outbox.sent:kill:2", marks=pytest.mark.slow),
        pytest.param("llm.reply_received:kill:9", marks=pytest.mark.slow),
        pytest.param("llm.settled:kill:12", marks=pytest.mark.slow),
        pytest.param("run.context_saved:kill:5", marks=pytest.mark.slow),
        pytest.param("deliver.before_commit:kill:3", marks=pytest.mark.slow),
        pytest.param("deliver.committed:kill:3", marks=pytest.mark.slow),
        pytest.param("review.before_commit:kill:4", marks=pytest.mark.slow),
        pytest.param("review.committed:kill:3", marks=pytest.mark.slow),
        pytest.param("outbox.confirmed:kill:2", marks=pytest.mark.slow),
    ],
)
def test_a_later_kill_is_survived_the_same(
    fault: str, warm: WarmStart, database_url: str, tmp_path: Path, undisturbed: Summary
) -> None:
    drill = Drill(warm, tmp_path, database_url)
    mission = _killed_and_resumed(drill, database_url, fault)
    assert check_invariants(drill, database_url, mission) == undisturbed
    with connect_for_checks(database_url) as connection:
        assert len(doubtful_calls(connection, mission)) == (fault.partition(":")[0] in IN_FLIGHT)


def test_the_lease_of_a_program_that_died_elsewhere_runs_out_by_itself(
    warm: WarmStart, database_url: str, tmp_path: Path, undisturbed: Summary
) -> None:
    drill = Drill(warm, tmp_path, database_url, {"FRASIER_WORKER__LEASE_S": "1"})
    drill.run("phase.checkpointed:kill:3").until_killed()
    with connect_for_checks(database_url) as connection:
        # Of a worker on another machine nobody here knows whether it lives.
        moved = connection.execute(
            "update workflow_tasks set lease_owner = 'elsewhere-1-1' where lease_owner is not null returning slug"
        ).fetchall()
    assert len(moved) == 1
    ended = drill.resume().until_ended()
    assert ended.code == 0, ended
    assert check_invariants(drill, database_url, ended.report["mission"]) == undisturbed
