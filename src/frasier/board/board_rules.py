"""The rules of tasks on boards: gates, required commands, decisions, and what serves one task only."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from frasier.board.decisions.approval import use_decision
from frasier.board.gates.check_gates import check_gates
from frasier.board.gates.design import seen_version
from frasier.board.gates.registry import GATES
from frasier.board.gates.required_command import check_required
from frasier.board.gates.single_use import use_proofs, use_words
from frasier.store import Tx
from frasier.workflow import GateFacts, MoveRequest, TaskRules, TaskView


class BoardRules(TaskRules):
    """The rules of tasks on boards."""

    gates: Mapping[str, GateFacts] = GATES
    moves_edit = True
    records_fields = True
    binds_judgements = True
    pause_keeps_claim = True
    pause_owner_must_act = True
    lease_ends_writes = True
    note_stays = False
    wakes_on_change = True
    summarises = True
    failing_action = "find out why nobody finishes it, then restore or cancel it"

    def group_name(self, fields: Mapping[str, Any]) -> str | None:
        return str(fields["board"]) if fields.get("board") else None

    def name_in_group(self, task: TaskView) -> str:
        board = self.group_name(task.fields)
        return f"{board}/{task.slug}" if board else task.slug

    def marker_scope(self, task: TaskView) -> str:
        board = self.group_name(task.fields)
        return f"board:{board}" if board else super().marker_scope(task)

    async def check_gates(self, tx: Tx, request: MoveRequest) -> None:
        await check_gates(tx, request)

    async def check_requirements(self, tx: Tx, request: MoveRequest) -> None:
        await check_required(tx, request)

    async def spend(self, tx: Tx, request: MoveRequest) -> None:
        await use_proofs(tx, request)

    async def reserve_unique(
        self, tx: Tx, task: TaskView, after: Mapping[str, Any], touched: Collection[str]
    ) -> None:
        await use_words(tx, task, after, touched)

    async def decide(self, tx: Tx, request: MoveRequest, again: Sequence[str] = ()) -> dict[str, Any]:
        return await use_decision(tx, request, again)

    def kept_fields(self, request: MoveRequest) -> dict[str, str]:
        return seen_version(request)


BOARD_RULES = BoardRules()
