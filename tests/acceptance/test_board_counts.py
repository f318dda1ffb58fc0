"""`frasier board` tells how many tasks there are, also where it shows a part of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from frasier.board import make_board
from frasier.store import Database
from frasier.store.embedded import EmbeddedServer
from frasier.workflow import FOUNDER
from support.board_team import open_team
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
    assert "name a board" not in board
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


async def test_each_board_has_its_share_of_a_view_of_several(db: Database) -> None:
    async with open_team(db) as team:
        async with db.transaction() as tx:
            await make_board(tx, "pot", actor=FOUNDER)
        add_tasks(db.url, "kettle", "ready", 12)
        add_tasks(db.url, "pot", "ready", 3)
        found = await team("boss", "task_list", per_status=5)
        of = Counter(task["task"].partition("/")[0] for task in found["tasks"])
        assert (of, found["columns"]["queue"], found["more"]) == ({"kettle": 5, "pot": 3}, 15, 7)


@pytest.mark.parametrize(
    "chosen", [{"status": "ready"}, {"role": "dev"}, {"process": "pdsa_task"}, {"mine": True}]
)
async def test_counts_of_whole_boards_are_not_given_for_a_part_of_them(
    db: Database, chosen: dict[str, Any]
) -> None:
    async with open_team(db) as team:
        refused = await team.refused("lia", "task_list", per_status=2, **chosen)
        assert "per_status counts whole boards" in refused.message
