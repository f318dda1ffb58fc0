"""The names of processes, and of what holds leases in them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from frasier.store.process_identity import holder_name, process_has_ended, process_name
from support.crash import poll

PROGRAM = "from frasier.store.process_identity import process_name; print(process_name())"


def renamed(owner: str, *, pid: str | None = None, start: str | None = None) -> str:
    place, was_pid, was_start = owner.rsplit(":", 2)
    return f"{place}:{pid or was_pid}:{start or was_start}"


def test_a_process_has_one_name_that_tells_it_from_others():
    assert process_name() == process_name()
    assert f":{os.getpid()}:" in process_name()
    assert not process_has_ended(process_name())


def test_a_process_that_ended_is_known_to_be_gone():
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True
    ).stdout.strip()
    assert ended != process_name()
    assert process_has_ended(ended)


def test_a_number_that_is_used_again_is_not_taken_for_the_process_that_had_it():
    assert process_has_ended(renamed(process_name(), start="1"))


@pytest.mark.parametrize(
    "owner",
    ["elsewhere-1f:1:2", "", "::", "worker", "x" + process_name(), renamed(process_name(), pid="zero")],
    ids=["elsewhere", "nothing", "empty parts", "a word", "another machine", "no number"],
)
def test_of_what_is_no_process_of_this_machine_nothing_is_claimed(owner):
    assert not process_has_ended(owner)


def test_each_holder_in_a_process_has_a_name_of_its_own_and_lives_as_long_as_it():
    assert len({holder_name() for _ in range(3)}) == 3
    assert not process_has_ended(holder_name())
    place, pid, _start, suffix = holder_name().rsplit(":", 3)
    assert process_has_ended(f"{place}:{pid}:1:{suffix}")


def test_a_process_that_ended_is_gone_also_before_its_parent_has_noticed():
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        name = process.stdout.read().strip()
        poll(lambda: process_has_ended(name), "the process ends")
