"""A board with what its moves need from outside: links are looked up before a move, and the founder is asked."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias
from uuid import UUID

from frasier.board.command_runs import run_check, run_required
from frasier.board.commands import Ran
from frasier.board.decisions import DecisionNeeded, ask_decision, find_decision, needs_decision
from frasier.board.decisions.approved_retry import approved_said
from frasier.board.evidence import LinkChecker
from frasier.board.evidence.link_checks import gather_links
from frasier.board.external_memory import RemoteBrain
from frasier.board.external_memory.document_move import Change, make_documented
from frasier.board.founder_notifications import Tell, about_block, about_decision, tell_cleared
from frasier.board.gates import GATES, all_that_lacks
from frasier.kernel.advice import Advice
from frasier.kernel.errors import TransitionRefused
from frasier.kernel.faults import fault_point
from frasier.store import Database, Tx
from frasier.workflow import (
    Actor,
    ActorKind,
    Lacking,
    MoveRequest,
    Task,
    Transition,
    allowed,
    at_its_place,
    block,
    check_attempt,
    check_edit,
    check_not_blocked,
    claim_task,
    edit,
    fields_after,
    get_task,
    is_said_again,
    move,
    owed,
    said_fields,
)

_Make: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[Task]]
"""Makes one move with the fields that are given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """What moves the tasks of teams. `lease_s` is how long a claimed task is held without being renewed.

    `direct_url` reaches the database past any pooler; `tell` tells the founder. Where there is a
    `brain`, no task is claimed or moved that it was not told of; blocking and restoring never ask it.
    """

    database: Database
    links: LinkChecker
    direct_url: str
    tell: Tell
    brain: RemoteBrain | None = None
    lease_s: float = 1800.0

    async def claim(
        self, task_id: UUID, fields: Mapping[str, Any], *, actor: Actor, founder_answer: str = ""
    ) -> Task:
        """Takes the task for `actor`; see claim.claim_task. The same claim again is answered as it was. Where it relies
        on an approval that was cleared, the founder is asked as for a move.
        """
        task = await self._look(task_id)
        if is_said_again(task, fields, actor):
            return task

        async def change(tx: Tx) -> Task:
            return await claim_task(
                tx,
                task_id,
                actor=actor,
                lease_s=self.lease_s,
                fields=fields,
                founder_answer=founder_answer,
            )

        async with self._asking_founder(actor), self._telling_all(task_id, fields, actor):
            if _looks_up(task):
                await gather_links(self.database, self.links, task, task.fields, actor=actor)
            return await self._make(task, "claim", change, actor=actor, note="")

    async def edit(
        self,
        task_id: UUID,
        fields: Mapping[str, Any],
        *,
        actor: Actor,
        version: int | None = None,
        attempt: int | None = None,
    ) -> Task:
        """Fills fields of the task; see edit.edit. A link that it changes is looked up, and the founder is told of
        approvals that it clears.
        """
        async with self.database.transaction() as tx:
            task = await get_task(tx, task_id)
            checked = await check_edit(tx, task, fields, actor=actor, version=version, attempt=attempt)
        changed = {name: value for name, value in checked.items() if task.fields.get(name) != value}
        await gather_links(self.database, self.links, task, changed, actor=actor, attempt=attempt)
        async with self.database.transaction() as tx:
            before = await at_its_place(tx, await get_task(tx, task_id))
            after = await edit(tx, task_id, fields, actor=actor, version=version, attempt=attempt)
            await tell_cleared(tx, self.tell, before, after, by=actor)
            return after

    async def move(
        self,
        task_id: UUID,
        transition: str,
        fields: Mapping[str, Any],
        *,
        actor: Actor,
        attempt: int | None = None,
        note: str = "",
        founder_answer: str = "",
    ) -> Task:
        """Makes the move; see transition.move. Links are looked up before it, and what the founder requires for it is
        run. Where it waits for the founder's decision, that is asked for: DecisionNeeded is raised either way.

        What cannot be made without any fields is made with those that the founder approved, where that was done; where
        the founder was asked and has not, that is told.
        """
        task = await self._look(task_id, attempt)
        make = partial(
            self._move, task, transition, actor=actor, attempt=attempt, note=note, answer=founder_answer
        )
        async with self._asking_founder(actor):
            return await self._as_said_or_approved(
                task, transition, fields, make, actor=actor, attempt=attempt, answer=founder_answer
            )

    async def _as_said_or_approved(
        self,
        task: Task,
        transition: str,
        fields: Mapping[str, Any],
        make: _Make,
        *,
        actor: Actor,
        attempt: int | None,
        answer: str,
    ) -> Task:
        """What was approved is looked for only where the move is refused: one that needs no decision pays nothing."""
        try:
            return await make(fields)
        except TransitionRefused as refused:
            rule = task.definition.transitions.get(transition)
            if fields or rule is None or not needs_decision(rule, actor):
                raise
            async with self.database.transaction() as tx:
                said = await approved_said(
                    tx, task, rule, actor=actor, attempt=attempt, answer=answer, refused=refused
                )
        return await make(said)

    async def _move(
        self,
        task: Task,
        transition: str,
        fields: Mapping[str, Any],
        *,
        actor: Actor,
        attempt: int | None,
        note: str,
        answer: str,
    ) -> Task:
        async def change(tx: Tx) -> Task:
            after = await move(
                tx,
                task.id,
                transition,
                actor=actor,
                fields=fields,
                attempt=attempt,
                note=note,
                founder_answer=answer,
            )
            await tell_cleared(tx, self.tell, task, after, by=actor)
            return after

        async with self._telling_all(task.id, fields, actor):
            await self._gather(task, transition, fields, actor=actor, attempt=attempt)
            return await self._make(task, transition, change, actor=actor, note=note)

    async def block(
        self,
        task_id: UUID,
        *,
        reason: str,
        owner: str,
        action: str,
        actor: Actor,
        attempt: int | None = None,
    ) -> Task:
        """Pauses the task, see blocking.block; the founder is told where it is the founder who must act."""
        async with self.database.transaction() as tx:
            task = await block(
                tx, task_id, reason=reason, owner=owner, action=action, actor=actor, attempt=attempt
            )
            if owner == ActorKind.FOUNDER:
                await self.tell(tx, about_block(task, reason=reason, action=action))
            fault_point("block.before_commit")
            return task

    async def deliver(
        self,
        task_id: UUID,
        fields: Mapping[str, Any],
        *,
        actor: Actor,
        attempt: int | None,
        note: str = "",
        founder_answer: str = "",
    ) -> Task:
        """Writes the result and hands the task on, in one: by the one move that leads on from where it is.

        Raises TransitionRefused where there is none, or more than one, and TaskBlocked where it is paused.
        """
        async with self.database.transaction() as tx:
            task = await get_task(tx, task_id)
            await check_not_blocked(tx, task)
        ways = [rule for rule in task.definition.transitions.values() if _hands_on(rule, task, actor)]
        if task.lease_owner is None or len(ways) != 1:
            raise TransitionRefused(
                f"{task.slug} cannot be delivered from {task.status} with {task.role}.",
                kept=f"{task.slug} is unchanged.",
                advice=_how_to_hand_on(task, ways),
            )
        return await self.move(
            task_id,
            ways[0].name,
            fields,
            actor=actor,
            attempt=attempt,
            note=note,
            founder_answer=founder_answer,
        )

    async def check(self, task_id: UUID, name: str, *, actor: Actor) -> tuple[Task, Ran]:
        """Runs the command `name` that the founder has declared for the task's project, and records what came of it.

        Counts are of what ran now; a run that came to nothing empties them, but for one that could not be started, and
        that of a command that a move requires and that counts no tests. The founder is told of reviews that they
        clear. Raises NotFound for a command that is not declared, NotAllowed for one that is switched off.
        """
        return await run_check(self.database, await self._look(task_id), name, actor=actor, tell=self.tell)

    async def _gather(
        self, task: Task, transition: str, fields: Mapping[str, Any], *, actor: Actor, attempt: int | None
    ) -> None:
        """Looks up and runs what the move will be asked for."""
        rule = task.definition.transitions.get(transition)
        if rule is None:
            return
        if _looks_up(task, rule):
            # Nothing is looked up for what is refused anyway.
            _, said = allowed(task, transition, actor=actor, fields=fields, attempt=attempt)
            after = fields_after(task, said)
            await gather_links(self.database, self.links, task, after, actor=actor, attempt=attempt)
        await run_required(self.database, task, transition, fields, actor=actor, attempt=attempt)

    @asynccontextmanager
    async def _telling_all(
        self, task_id: UUID, fields: Mapping[str, Any], actor: Actor
    ) -> AsyncIterator[None]:
        """Whoever is refused for want of fields is told of closed gates as well; whoever is not pays nothing for it."""
        try:
            yield
        except Lacking as lacking:
            async with self.database.transaction() as tx:
                task = await get_task(tx, task_id)
                said = said_fields(task, fields, actor, lacking.rule)
                wanted = MoveRequest(
                    task=task, rule=lacking.rule, actor=actor, after=fields_after(task, said)
                )
                raise await all_that_lacks(tx, wanted, lacking) from lacking

    @asynccontextmanager
    async def _asking_founder(self, actor: Actor) -> AsyncIterator[None]:
        """Asks for the decision that a refused move needs; the refusal stands either way."""
        try:
            yield
        except DecisionNeeded as needed:
            if needed.wanted is not None:
                async with self.database.transaction() as tx:
                    decision_id = await ask_decision(tx, needed.wanted, actor=actor)
                    await self.tell(tx, about_decision(await find_decision(tx, decision_id)))
            raise

    async def _look(self, task_id: UUID, attempt: int | None = None) -> Task:
        """The task, which the attempt holds where one is named."""
        async with self.database.transaction() as tx:
            task = await get_task(tx, task_id)
            await check_attempt(tx, task, attempt)
            return task

    async def _make(self, task: Task, name: str, change: Change, *, actor: Actor, note: str) -> Task:
        return await make_documented(
            self.database, self.brain, task, name, change, actor=actor, note=note, tell=self.tell
        )


def _looks_up(task: Task, *rules: Transition) -> bool:
    """Whether something is looked up for one of the moves, or for one whose judgement has to be given again."""
    relied = [task.definition.transitions[name] for name in owed(task)]
    return any(GATES[name].looked_up for rule in (*rules, *relied) for name in rule.gates)


def _how_to_hand_on(task: Task, ways: Sequence[Transition]) -> list[Advice]:
    """Return what to do where the task is not handed on by one move alone."""
    if not ways or task.lease_owner is None:
        look = Advice("task.get", to="see the moves from here, and who may make them", task=task.slug)
        take = Advice("task.claim", to="take it first", task=task.slug)
        return [take, look] if task.lease_owner is None else [look]
    return [
        Advice("task.move", to=f"make the move {name}", task=task.slug, move=name)
        for name in sorted(rule.name for rule in ways)
    ]


def _hands_on(rule: Transition, task: Task, actor: Actor) -> bool:
    """Whether a move is what the holder's work leads to: not an end, a giving back or a rejection."""
    return (
        rule.starts_from(task.status, task.role)
        and actor.is_among(rule.actors, task.role)
        and rule.name != "release"
        and not rule.strike
        and not task.definition.status(rule.to).terminal
    )
