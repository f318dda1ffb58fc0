"""A move on a board: its gates are looked at once for the answer, where something outside hangs on it, and once more
under the lock.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from frasier.board import (
    GATES,
    DeclaredCommand,
    declare_command,
    get_board,
    require_command,
    switch_command,
)
from frasier.kernel.errors import FrasierError
from frasier.workflow import FOUNDER
from support.board_team import BOARD, open_team


class Memory:
    """An ExternalMemory that takes everything."""

    def __init__(self):
        self.told = []

    async def check(self):
        return

    async def contribute(self, contribution):
        self.told.append(contribution.text)
        return "thought"


@pytest.fixture
def looked(monkeypatch):
    """The looks at a gate of the move by which a design is handed in."""
    looks = []
    gate = GATES["version"]

    async def check(tx, request):
        looks.append(request.rule.name)
        return await gate.check(tx, request)

    monkeypatch.setitem(GATES, gate.name, replace(gate, check=check))
    return looks


async def require(db, folder, ends):
    command = DeclaredCommand(
        name="smoke",
        arguments=(sys.executable, "-c", f"raise SystemExit({ends})"),
        folder=folder,
        timeout_s=10,
        memory_mb=256,
    )
    async with db.transaction() as tx:
        board = await get_board(tx, BOARD)
        await declare_command(tx, board.id, command, actor=FOUNDER)
        await switch_command(tx, board.id, "smoke", enabled=True, actor=FOUNDER)
        await require_command(tx, board.id, "smoke", "submit_design", actor=FOUNDER)


@pytest.mark.parametrize(
    ("remembered_elsewhere", "required", "looks"),
    [(False, False, 1), (False, True, 2), (True, False, 2), (True, True, 2)],
)
async def test_gates_are_looked_at_once_for_the_answer_and_once_under_the_lock(
    db, tmp_path, looked, remembered_elsewhere, required, looks
):
    async with open_team(db, brain=Memory() if remembered_elsewhere else None) as team:
        if required:
            await require(db, tmp_path, ends=0)
        await team.designed()
        assert await team.place("tea") == ("approval", "liaison")
    assert looked == ["submit_design"] * looks


async def test_what_a_command_found_wrong_is_told_to_no_memory(db, tmp_path, looked):
    memory = Memory()
    async with open_team(db, brain=memory) as team:
        await require(db, tmp_path, ends=3)
        with pytest.raises(FrasierError) as refused:
            await team.designed()
        assert refused.value.code == "command_required"
    assert [text for text in memory.told if "active→approval" in text] == []
    assert looked == ["submit_design"]
