"""Fault points: a drill stops the process exactly where it says, or says that there is no such place."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from frasier.kernel.fault_points import FAULT_POINTS

PASS_THREE_TIMES = """
from frasier.kernel.fault_points import fault_point
for turn in (1, 2, 3):
    fault_point("outbox.sent")
    fault_point("outbox.claimed")
    print(turn, flush=True)
"""


def start(setting: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PASS_THREE_TIMES],
        env={**os.environ, "FRASIER_FAULT": setting},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(setting: str) -> tuple[int, str, str]:
    process = start(setting)
    out, error = process.communicate(timeout=60)
    return process.returncode, out.replace("\n", ""), error


def test_unset_it_passes() -> None:
    assert run("")[:2] == (0, "123")


@pytest.mark.parametrize(
    ("setting", "passed"),
    [("outbox.sent:kill", ""), ("outbox.claimed:kill:1", ""), ("outbox.sent:kill:3", "12")],
)
def test_it_kills_at_the_passage_that_was_named(setting: str, passed: str) -> None:
    assert run(setting)[:2] == (-signal.SIGKILL, passed)


def test_it_stops_and_goes_on_when_it_is_continued() -> None:
    process = start("outbox.claimed:stop:2")
    try:
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        process.send_signal(signal.SIGCONT)
        out, _ = process.communicate(timeout=60)
        assert out.split() == ["1", "2", "3"]
    finally:
        process.kill()


def test_it_raises_our_own_defect() -> None:
    code, passed, error = run("outbox.sent:raise:2")
    assert (code, passed) == (1, "1")
    assert "InvariantBroken: fault point outbox.sent was asked to fail" in error


@pytest.mark.parametrize(
    "setting",
    ["nowhere:kill", "outbox.sent", "outbox.sent:explode", "outbox.sent:kill:soon", "outbox.sent:kill:-1"],
)
def test_a_place_or_an_action_that_does_not_exist_is_refused_at_the_start(setting: str) -> None:
    code, passed, error = run(setting)
    assert (code, passed) == (1, "")
    assert "does not name a fault point" in error


def test_every_point_says_what_is_and_what_is_not_done_there() -> None:
    for name, meaning in FAULT_POINTS.items():
        assert name.count(".") == 1
        assert len(meaning) > 15
