"""Work goes on where the clock of the database goes back, and where a day or a month turns while a cap is used up."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from support.cli import FrasierProgram, read_until
from support.database_clock import offset_clock
from support.organisation import DIRECTIVE
from support.scripted_founder import scripted_founder

VIEWS = (
    ["status"],
    ["missions", "show", "last"],
    ["missions", "list"],
    ["telemetry", "last"],
    ["postmortem", "last"],
    ["steps", "show", "last/final"],
    ["costs"],
    ["inbox"],
    ["events", "verify"],
)


@pytest.mark.parametrize(
    "fault", ["plan.committed:kill:1", "phase.checkpointed:kill:2", "llm.intent_committed:kill:3"]
)
def test_a_mission_whose_worker_died_goes_on_after_the_clock_went_back(
    frasier: FrasierProgram, documents: Path, owner_url: str, fault: str
) -> None:
    offset_clock(owner_url, timedelta(0))
    with scripted_founder(frasier) as founder:
        founder(
            "run",
            DIRECTIVE,
            "--sources",
            documents,
            code=-9,
            FRASIER_FAULT=fault,
            FRASIER_WORKER__LEASE_S="1",
        )
        offset_clock(owner_url, timedelta(days=-1))
        ended = founder.json("resume", "last", FRASIER_WORKER__LEASE_S="1")
        assert ended["status"] == "delivered"
        for view in VIEWS:
            shown = founder(*view).out
            assert not re.search(r"-\d+(\.\d+)? (s|min|h|days?)\b", shown), shown


@pytest.mark.parametrize(("scope", "ahead"), [("day", timedelta(days=1)), ("month", timedelta(days=31))])
def test_what_the_cap_of_a_period_stopped_goes_on_by_itself_once_that_is_over(
    frasier: FrasierProgram, documents: Path, owner_url: str, scope: str, ahead: timedelta
) -> None:
    offset_clock(owner_url, timedelta(0))
    cap = f"FRASIER_LLM__CAPS__{scope.upper()}_USD"
    with scripted_founder(frasier) as founder:
        founder("run", DIRECTIVE, "--sources", documents, code=5, **{cap: "0.0001"})
        (question,) = founder.json("inbox")["questions"]
        assert f"Please raise {cap}. Else it goes on by itself when the {scope} is over" in question["text"]
        settings = founder.settings | {cap: "3"}
        with frasier.running("up", "--no-web", **settings) as process:
            assert founder.json("inbox")["questions"] == [question], (
                "the founder has not said that it is raised"
            )
            offset_clock(owner_url, ahead)
            assert "is delivered" in read_until(process.stderr, "delivered")
        assert founder.json("inbox")["questions"] == []
