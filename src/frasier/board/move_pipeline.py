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
from frasier.board.commands import RequiredCommand
from frasier.board.decisions import DecisionNeeded, ask_decision, find_decision, needs_decision
from frasier.board.decisions.approved_retry import approved_said
from frasier.board.evidence import LinkChecker
from frasier.board.evidence.link_checks import gather_links
from frasier.board.external_memory import RemoteBrain
from frasier.board.external_memory.document_move import make_documented
from frasier.board.founder_notifications import Tell, about_decision, tell_cleared
from frasier.board.gates import GATES, with_closed_gates
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
    owed,
    request_move,
    said_fields,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedMove:
    """A move or a claim that somebody asks for, of the task as they found it, and what the founder requires for it.

    `rule` is None where the process has no move of the `name`. A claim has a `lease_s`, and no attempt.
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

    def request(self) -> MoveRequest:
        """The move, where the table permits it; raises as request_move does."""
        return request_move(
            self.task,
            self.name,
            actor=self.actor,
            fields=self.fields,
            attempt=self.attempt,
            answer=self.answer,
        )

    def looks_up(self) -> bool:
        """Whether something is looked up for the move, or for one whose judgement has to be given again."""
        relied = [self.task.definition.transitions[name] for name in owed(self.task)]
        own = [self.rule] if self.rule is not None and self.lease_s is None else []
        return any(GATES[name].looked_up for rule in (*own, *relied) for name in rule.gates)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovePipeline:
    """The steps of a move, with what they reach outside; see Board."""

    database: Database
    links: LinkChecker
    tell: Tell
    brain: RemoteBrain | None

    async def make(self, wanted: WantedMove) -> Task:
        """Make the move or claim, and give the task after it.

        What cannot be moved without any fields is moved with those that the founder approved, where that was done. What
        was approved is looked for only where the move is refused: one that needs no decision pays nothing.
        """
        async with self._asking_founder(wanted.actor):
            try:
                return await self._run(wanted)
            except TransitionRefused as refused:
                rule = wanted.rule
                claims = wanted.lease_s is not None
                if claims or wanted.fields or rule is None or not needs_decision(rule, wanted.actor):
                    raise
                async with self.database.transaction() as tx:
                    said = await approved_said(
                        tx,
                        wanted.task,
                        rule,
                        actor=wanted.actor,
                        attempt=wanted.attempt,
                        answer=wanted.answer,
                        refused=refused,
                    )
            return await self._run(replace(wanted, fields=said))

    async def _run(self, wanted: WantedMove) -> Task:
        async with self._telling_closed_gates(wanted):
            request = await self._gather(wanted)
            gates_checked = await self._decide(wanted, request)
            return await self._commit(wanted, gates_checked=gates_checked)

    async def _gather(self, wanted: WantedMove) -> MoveRequest | None:
        """Look up the links that the move will be asked for; return its request where something outside is asked."""
        if wanted.lease_s is not None:
            if wanted.looks_up():
                await gather_links(
                    self.database, self.links, wanted.task, wanted.task.fields, actor=wanted.actor
                )
            return None
        if wanted.rule is None or not (wanted.looks_up() or wanted.required):
            return None
        request = wanted.request()  # nothing is looked up for what is refused anyway
        if wanted.looks_up():
            await gather_links(
                self.database,
                self.links,
                wanted.task,
                request.after,
                actor=wanted.actor,
                attempt=wanted.attempt,
            )
        return request

    async def _decide(self, wanted: WantedMove, request: MoveRequest | None) -> bool:
        """Run what the founder requires, where the gates are open; return whether they were looked at for that."""
        if request is None:
            return False
        return await run_required(self.database, request, wanted.required, attempt=wanted.attempt)

    async def _commit(self, wanted: WantedMove, *, gates_checked: bool) -> Task:
        """Make the move under the lock; where there is an external memory, once that has taken it."""
        return await make_documented(
            self.database,
            self.brain,
            wanted.task,
            wanted.name,
            partial(self._change, wanted),
            trial=partial(self._change, wanted, gates_checked=gates_checked),
            actor=wanted.actor,
            note=wanted.note,
            tell=self.tell,
        )

    async def _change(self, wanted: WantedMove, tx: Tx, *, gates_checked: bool = False) -> Task:
        if wanted.lease_s is not None:
            return await claim_task(
                tx,
                wanted.task.id,
                actor=wanted.actor,
                lease_s=wanted.lease_s,
                fields=wanted.fields,
                founder_answer=wanted.answer,
            )
        after = await move(
            tx,
            wanted.task.id,
            wanted.name,
            actor=wanted.actor,
            fields=wanted.fields,
            attempt=wanted.attempt,
            note=wanted.note,
            founder_answer=wanted.answer,
            gates_checked=gates_checked,
        )
        await tell_cleared(tx, self.tell, wanted.task, after, by=wanted.actor)
        return after

    @asynccontextmanager
    async def _telling_closed_gates(self, wanted: WantedMove) -> AsyncIterator[None]:
        """Tell whoever is refused for want of fields of closed gates as well; whoever is not pays nothing for it."""
        try:
            yield
        except MissingFields as refusal:
            async with self.database.transaction() as tx:
                task = await get_task(tx, wanted.task.id)
                said = said_fields(task, wanted.fields, wanted.actor, refusal.rule)
                after = fields_after(task, said)
                request = MoveRequest(task=task, rule=refusal.rule, actor=wanted.actor, after=after)
                raise await with_closed_gates(tx, request, refusal) from refusal

    @asynccontextmanager
    async def _asking_founder(self, actor: Actor) -> AsyncIterator[None]:
        """Ask for the decision that a refused move needs; the refusal stands either way."""
        try:
            yield
        except DecisionNeeded as needed:
            if needed.wanted is not None:
                async with self.database.transaction() as tx:
                    decision_id = await ask_decision(tx, needed.wanted, actor=actor)
                    await self.tell(tx, about_decision(await find_decision(tx, decision_id)))
            raise
