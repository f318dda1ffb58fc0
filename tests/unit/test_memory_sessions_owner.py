"""The names of processes that serve sessions."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from frasier.memory.sessions.process_identity import is_gone, process_owner

PROGRAM = "from frasier.memory.sessions.process_identity import process_owner; print(process_owner())"


def renamed(owner: str, *, pid: str | None = None, start: str | None = None) -> str:
    place, was_pid, was_start = owner.rsplit(":", 2)
    return f"{place}:{pid or was_pid}:{start or was_start}"


def test_a_process_has_one_name_that_tells_it_from_others():
    assert process_owner() == process_owner()
    assert f":{os.getpid()}:" in process_owner()
    assert not is_gone(process_owner())


def test_a_process_that_ended_is_known_to_be_gone():
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True
    ).stdout.strip()
    assert ended != process_owner()
    assert is_gone(ended)


def test_a_number_that_is_used_again_is_not_taken_for_the_process_that_had_it():
    assert is_gone(renamed(process_owner(), start="1"))


@pytest.mark.parametrize(
    "owner",
    ["elsewhere-1f:1:2", "", "::", "worker", "x" + process_owner(), renamed(process_owner(), pid="zero")],
    ids=["elsewhere", "nothing", "empty parts", "a word", "another machine", "no number"],
)
def test_of_what_is_no_process_of_this_machine_nothing_is_claimed(owner):
    assert not is_gone(owner)
