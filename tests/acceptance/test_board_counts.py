"""`frasier board` tells how many tasks there are, also where it shows a part of them."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from frasier.store.embedded import EmbeddedServer
from support.bulk_tasks import add_tasks
from support.cli_task import TaskProgram, task_program

QUEUED, COMPLETE = 5_013, 8


@pytest.fixture(scope="module")
def kettle(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TaskProgram]:
    with task_program(server, tmp_path_factory.mktemp("counts"), real=False) as program:
        add_tasks(program.url, "kettle", "pending", QUEUED)
        add_tasks(program.url, "kettle", "complete", COMPLETE, role="liaison")
        yield program


def test_a_board_of_thousands_of_tasks_has_true_counts_and_states_which_part_it_shows(
    kettle: TaskProgram,
) -> None:
    board = kettle.board("kettle")
    assert "Queue (40 of 5,013 shown)" in board
    assert "Complete (8)" in board
    assert "name a project" not in board
    assert "4,973 more are not shown" in board
    everything = kettle.board()
    assert "Queue (40 of 5,013 shown)" in everything


def test_the_json_of_a_board_has_the_same_counts(kettle: TaskProgram) -> None:
    board = json.loads(kettle.board("kettle", "--json"))
    columns = {one["column"]: (one["count"], len(one["tasks"])) for one in board["columns"]}
    assert columns["queue"] == (QUEUED, 40)
    assert columns["complete"] == (COMPLETE, COMPLETE)
    assert columns["active"] == (0, 0)
    assert board["more"] == QUEUED - 40
    assert [(one["status"], one["count"]) for one in board["apart"]] == [("blocked", 0), ("cancelled", 0)]


def test_what_is_left_out_as_over_is_not_counted(kettle: TaskProgram) -> None:
    board = json.loads(kettle.board("kettle", "--json", "--over-days", "0"))
    counts = {one["column"]: one["count"] for one in board["columns"]}
    assert (counts["queue"], counts["complete"]) == (QUEUED, 0)
