"""What only a real process of `frasier task` and `board` can be given: bytes, full disks, and readers that leave."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.attacked_board import table_digests_now
from support.cli import DEADLINE_S
from support.cli_garbage import refused
from support.cli_task import TaskProgram, task_program

UNWRITABLE, READER_LEFT = 8, 141


@pytest.fixture(scope="module")
def kettle(server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TaskProgram]:
    """A board with one task."""
    with task_program(server, Path(tmp_path_factory.mktemp("program")), real=False) as program:
        program.create(name="tea")
        # The first start of all writes the founding agents, whatever it is asked.
        assert raw(program, "task", "list").returncode == 0
        yield program


def raw(
    kettle: TaskProgram, *arguments: bytes | str, who: str = "lia", **how: Any
) -> subprocess.CompletedProcess[bytes]:
    """The real program with arguments of any bytes."""
    how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **how}
    if "input" in how:
        del how["stdin"]
    return subprocess.run(
        [sys.executable, "-m", "frasier", *arguments],
        stderr=subprocess.PIPE,
        cwd=kettle.frasier.home,
        env={**kettle.frasier._environment, **kettle.of(who), "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none"},
        timeout=DEADLINE_S,
        check=False,
        **how,
    )


CREATE = ("task", "create", "cup", "--title", "A cup", "--criterion", "It holds tea.", "--json")


@pytest.mark.parametrize(
    ("arguments", "given", "number"),
    [
        ((*CREATE, "--description", b"The caf\xe9 needs a cup."), b"", "E012"),
        ((*CREATE, "--description", "@-"), b"flagstone " * 1_000_000, "E013"),
        ((*CREATE, "--description", "@-"), b"caf\xe9", "E012"),
        (("task", "note", "-", "--json"), b"\xff\xfe{", "E012"),
    ],
)
def test_what_is_no_text_is_refused_and_nothing_is_written(
    kettle: TaskProgram, arguments: tuple[bytes | str, ...], given: bytes, number: str
) -> None:
    before = table_digests_now(kettle.url)
    refused(raw(kettle, *arguments, input=given), number)
    assert table_digests_now(kettle.url) == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_board_that_finds_no_room_is_told_on_standard_error(kettle: TaskProgram) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = raw(kettle, "board", stdout=full)
    assert ended.returncode == UNWRITABLE, ended.stderr
    assert b"Traceback" not in ended.stderr
    assert b"cannot be written to" in ended.stderr


def test_a_reader_that_leaves_takes_nothing_with_it(kettle: TaskProgram) -> None:
    theirs, ours = os.pipe()
    os.close(theirs)
    ended = raw(kettle, "task", "edit", "tea", "--field", "constraints=It must be blue.", stdout=ours)
    os.close(ours)
    assert (ended.returncode, ended.stderr) == (READER_LEFT, b"")
    assert kettle.data("lia", "get", "tea")["fields"]["constraints"] == "It must be blue."
