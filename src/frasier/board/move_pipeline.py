"""The pipeline of a move on a board: gather what it will be asked for, decide, commit.

1. Gather (`_gather`): links are looked up and recorded, outside of any transaction, of a move that the table permits.
2. Decide (`_decide`): where something outside hangs on it, the rules are evaluated for the answer, and what the founder
   requires is run. Where there is an external memory, the move is tried and taken back, and told.
3. Commit (`_commit`): the rules are evaluated under the lock, and the move is made, in one transaction.

Nothing is evaluated for the answer where nothing outside is asked: the commit is all that such a move needs.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from frasier.board.command_runs import run_required
from frasier.board.commands.requirements import RequiredCommand
from frasier.board.decisions.approval import DecisionNeeded, needs_decision
from frasier.board.decisions.approved_retry import approved_fields
from frasier.board.decisions.lists import find_decision
from frasier.board.decisions.request import ask_decision
from frasier.board.evidence.link_checks import gather_links
from frasier.board.evidence.links import LinkChecker
from frasier.board.external_memory.document_move import document_move
from frasier.board.external_memory.protocol import ExternalMemory
from frasier.board.founder_notifications import NotifyFounder, about_decision, notify_cleared
from frasier.board.gates.check_gates import with_closed_gates
from frasier.board.gates.registry import GATES
from frasier.kernel.errors import TransitionRefused
from frasier.store import Database, Tx
from frasier.workflow import (
    Actor,
    MissingFields,
    MoveRequest,
    Task,
    Transition,
    claim_task,
    fields_after,
    get_task,
    move,
    move_fields,
    owed,
    request_move,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardMove:
    """A requested move or claim of the task as the caller saw it, with the commands that the founder requires for it.

    `rule` is None if the process has no move `name`. A claim has a `lease_s` and no attempt. `version` is the one that
    the caller saw, if it must not be another.
    """

    task: Task
    name: str
    rule: Transition | None
    fields: Mapping[str, Any]
    actor: Actor
    attempt: int | None = None
    note: str = ""
    answer: str = ""
    required: Sequence[RequiredCommand] = ()
    lease_s: float | None = None
    version: int | None = None

    def request(self) -> MoveRequest:
        """Return the move request if the table permits it; raise as request_move does."""
        return request_move(
            self.task,
            self.name,
            actor=self.actor,
            fields=self.fields,
            attempt=self.attempt,
            answer=self.answer,
        )

    def looks_up(self) -> bool:
        """Tell whether links are looked up for the move, or for one whose judgement has to be given again."""
        relied = [self.task.definition.transitions[name] for name in owed(self.task)]
        own = [self.rule] if self.rule is not None and self.lease_s is None else []
        return any(GATES[name].looked_up for rule in (*own, *relied) for name in rule.gates)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovePipeline:
    """The stages of a move, with the outside services that they use; see BoardEngine."""

    database: Database
    links: LinkChecker
    notify_founder: NotifyFounder
    external_memory: ExternalMemory | None

    async def make(self, board_move: BoardMove) -> Task:
        """Make the move or claim, and return the task after it.

        A move that cannot be made without fields is made with those that the founder approved, if any. The approval is
        looked for only after a refusal, so that a move without a decision pays nothing for it.
        """
        async with self._asking_founder(board_move.actor):
            try:
                return await self._run(board_move)
            except TransitionRefused as refused:
                rule = board_move.rule
                claims = board_move.lease_s is not None
                if claims or board_move.fields or rule is None or not needs_decision(rule, board_move.actor):
                    raise
                async with self.database.transaction() as tx:
                    fields = await approved_fields(
                        tx,
                        board_move.task,
                        rule,
                        actor=board_move.actor,
                        attempt=board_move.attempt,
                        answer=board_move.answer,
                        refused=refused,
                    )
            return await self._run(replace(board_move, fields=fields))

    async def _run(self, board_move: BoardMove) -> Task:
        async with self._adding_closed_gates(board_move):
            request = await self._gather(board_move)
            gates_checked = await self._decide(board_move, request)
            return await self._commit(board_move, gates_checked=gates_checked)

    async def _gather(self, board_move: BoardMove) -> MoveRequest | None:
        """Look up the links that the move will be asked for; return its request if an outside service is asked."""
        looks_up = board_move.looks_up()
        if board_move.rule is None or not (looks_up or board_move.required):
            return None
        # Nothing is looked up for what is refused anyway; a claim fills nothing that is.
        request = board_move.request() if board_move.lease_s is None else None
        if looks_up:
            fields = board_move.task.fields if request is None else request.after
            await gather_links(
                self.database,
                self.links,
                board_move.task,
                fields,
                actor=board_move.actor,
                attempt=board_move.attempt,
            )
        return request

    async def _decide(self, board_move: BoardMove, request: MoveRequest | None) -> bool:
        """Run the required commands if the gates are open; return whether the gates were checked for that."""
        if request is None:
            return False
        return await run_required(self.database, request, board_move.required, attempt=board_move.attempt)

    async def _commit(self, board_move: BoardMove, *, gates_checked: bool) -> Task:
        """Make the move under the lock; with an external memory, once that has stored the marker."""
        return await document_move(
            self.database,
            self.external_memory,
            board_move.task,
            board_move.name,
            partial(self._change, board_move),
            trial=partial(self._change, board_move, gates_checked=gates_checked),
            actor=board_move.actor,
            note=board_move.note,
            notify_founder=self.notify_founder,
        )

    async def _change(self, board_move: BoardMove, tx: Tx, *, gates_checked: bool = False) -> Task:
        if board_move.lease_s is not None:
            return await claim_task(
                tx,
                board_move.task.id,
                actor=board_move.actor,
                lease_s=board_move.lease_s,
                fields=board_move.fields,
                founder_answer=board_move.answer,
            )
        after = await move(
            tx,
            board_move.task.id,
            board_move.name,
            actor=board_move.actor,
            fields=board_move.fields,
            attempt=board_move.attempt,
            note=board_move.note,
            founder_answer=board_move.answer,
            gates_checked=gates_checked,
            version=board_move.version,
        )
        await notify_cleared(tx, self.notify_founder, board_move.task, after, by=board_move.actor)
        return after

    @asynccontextmanager
    async def _adding_closed_gates(self, board_move: BoardMove) -> AsyncIterator[None]:
        """Add the closed gates to a refusal for missing fields; only a refused move pays for the check."""
        try:
            yield
        except MissingFields as refusal:
            async with self.database.transaction() as tx:
                task = await get_task(tx, board_move.task.id)
                fields = move_fields(task, board_move.fields, board_move.actor, refusal.rule)
                after = fields_after(task, fields)
                request = MoveRequest(task=task, rule=refusal.rule, actor=board_move.actor, after=after)
                raise await with_closed_gates(tx, request, refusal) from refusal

    @asynccontextmanager
    async def _asking_founder(self, actor: Actor) -> AsyncIterator[None]:
        """Ask for the decision that a refused move needs; the refusal stands either way."""
        try:
            yield
        except DecisionNeeded as needed:
            if needed.question is not None:
                async with self.database.transaction() as tx:
                    decision_id = await ask_decision(tx, needed.question, actor=actor)
                    await self.notify_founder(tx, about_decision(await find_decision(tx, decision_id)))
            raise
