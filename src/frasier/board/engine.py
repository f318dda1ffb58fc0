"""The service of boards: claim, edit, move, pause, deliver and check the tasks of teams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from frasier.board.agent_inbox.audit_replay import ReplayReport, replay_tasks
from frasier.board.agent_inbox.inbox import Card, Notice
from frasier.board.agent_inbox.wait import ToldNotices, wait_for_work
from frasier.board.command_runs import run_check
from frasier.board.commands.requirements import required_commands
from frasier.board.commands.run_result import RunResult
from frasier.board.evidence.link_checks import gather_links
from frasier.board.evidence.links import LinkChecker
from frasier.board.external_memory.protocol import ExternalMemory
from frasier.board.founder_notifications import NotifyFounder, about_block, notify_cleared
from frasier.board.members.change_task import TaskChange, change_task
from frasier.board.move_pipeline import BoardMove, MovePipeline
from frasier.kernel.advice import Advice
from frasier.kernel.errors import TransitionRefused
from frasier.kernel.fault_points import fault_point
from frasier.store import Database, InTransaction
from frasier.workflow import (
    CLAIM,
    Actor,
    ActorKind,
    Task,
    Transition,
    as_before_pause,
    block,
    check_attempt,
    check_edit,
    check_not_blocked,
    check_version,
    edit,
    get_task,
    is_repeated_claim,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardEngine:
    """The service that moves the tasks of teams. `lease_s` is the time for which a claimed task is held without a
    renewal.

    `direct_url` reaches the database past any pooler; `notify_founder` does that. With an `external_memory`, no
    task is claimed or moved before that was told of it; blocking and restoring never ask it.
    """

    database: Database
    links: LinkChecker
    direct_url: str
    notify_founder: NotifyFounder
    external_memory: ExternalMemory | None = None
    lease_s: float = 1800.0
    told: ToldNotices = field(default_factory=ToldNotices)

    @property
    def in_transaction(self) -> InTransaction:
        """Run one use case of boards in a transaction of its own."""
        return self.database.in_transaction

    async def claim(
        self, task_id: UUID, fields: Mapping[str, Any], *, actor: Actor, founder_answer: str = ""
    ) -> Task:
        """Claim the task for `actor`; see workflow.claim_task. A repeated claim returns the task as it is.

        Where the claim relies on an approval that was cleared, the founder is asked as for a move.
        """
        async with self.database.transaction() as tx:
            task = await get_task(tx, task_id)
        if is_repeated_claim(task, fields, actor):
            return task
        return await self._pipeline.make(
            BoardMove(
                task=task,
                name=CLAIM,
                rule=task.definition.claim_transition,
                fields=fields,
                actor=actor,
                answer=founder_answer,
                lease_s=self.lease_s,
            )
        )

    async def edit(
        self,
        task_id: UUID,
        fields: Mapping[str, Any],
        *,
        actor: Actor,
        version: int | None = None,
        attempt: int | None = None,
        change: TaskChange | None = None,
    ) -> Task:
        """Fill fields of the task, see workflow.edit, and make the `change` of its plan, see change_task; both or none.
        Links that change are looked up, and the founder is notified of the approvals that the edit clears.
        """
        if change is not None and not fields:
            async with self.database.transaction() as tx:
                return await change_task(
                    tx, await get_task(tx, task_id), change, actor=actor, version=version
                )
        async with self.database.transaction() as tx:
            task = await get_task(tx, task_id)
            checked = await check_edit(tx, task, fields, actor=actor, version=version, attempt=attempt)
        changed = {name: value for name, value in checked.items() if task.fields.get(name) != value}
        await gather_links(self.database, self.links, task, changed, actor=actor, attempt=attempt)
        async with self.database.transaction() as tx:
            task = await get_task(tx, task_id)
            before = await as_before_pause(tx, task)
            if change is not None:  # first: it locks the whole group, which the edit shares
                version = (await change_task(tx, task, change, actor=actor, version=version)).version
            after = await edit(tx, task_id, fields, actor=actor, version=version, attempt=attempt)
            await notify_cleared(tx, self.notify_founder, before, after, by=actor)
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
        version: int | None = None,
    ) -> Task:
        """Make the move; see workflow.move. Links are looked up and required commands run before it.

        Raises DecisionNeeded where the move waits for the founder, who is asked. A move that cannot be made without
        fields is made with those that the founder approved; where the founder has not approved them, the error says so.
        """
        async with self.database.transaction() as tx:
            task = await get_task(tx, task_id)
            check_version(task, version)
            await check_attempt(tx, task, attempt)
            required = await required_commands(tx, task.group_id, transition)
        return await self._pipeline.make(
            BoardMove(
                task=task,
                name=transition,
                rule=task.definition.transitions.get(transition),
                fields=fields,
                actor=actor,
                attempt=attempt,
                note=note,
                answer=founder_answer,
                required=required,
                version=version,
            )
        )

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
        """Pause the task; see workflow.block. The founder is notified if it is the founder who must act."""
        async with self.database.transaction() as tx:
            task = await block(
                tx, task_id, reason=reason, owner=owner, action=action, actor=actor, attempt=attempt
            )
            if owner == ActorKind.FOUNDER:
                await self.notify_founder(tx, about_block(task, reason=reason, action=action))
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
        """Write the result and hand the task on by the only move that leads on from its position.

        Raises TransitionRefused if there is no such move or more than one, LeaseLost if the task was given back, and
        TaskBlocked if it is paused.
        """
        async with self.database.transaction() as tx:
            task = await get_task(tx, task_id)
            await check_not_blocked(tx, task)
            await check_attempt(tx, task, attempt)
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

    async def wait_for_work(
        self, actor: Actor, boards: Sequence[str], *, timeout_s: float, limit: int
    ) -> Sequence[tuple[Card, Sequence[Notice]]]:
        """Wait until there is something for `actor` to do on the boards; see agent_inbox.wait_for_work."""
        return await wait_for_work(
            self.database,
            self.direct_url,
            actor,
            boards,
            timeout_s=timeout_s,
            limit=limit,
            told_notices=self.told,
        )

    async def replay_tasks(self, *, sample: int | None = None) -> ReplayReport:
        """Replay the history of every task, or of `sample` that are drawn; see audit_replay.replay_tasks."""
        return await replay_tasks(self.database, sample=sample)

    async def check(self, task_id: UUID, name: str, *, actor: Actor) -> tuple[Task, RunResult]:
        """Run the declared command `name` for the task, and record the result.

        The task's test counts become those of this run. A run that counted nothing empties them, unless it could not be
        started or is that of a required command that counts no tests. The founder is notified of reviews that this
        clears. Raises NotFound for a command that is not declared, NotAllowed for one that is switched off.
        """
        async with self.database.transaction() as tx:
            task = await get_task(tx, task_id)
        return await run_check(self.database, task, name, actor=actor, notify_founder=self.notify_founder)

    @property
    def _pipeline(self) -> MovePipeline:
        return MovePipeline(
            database=self.database,
            links=self.links,
            notify_founder=self.notify_founder,
            external_memory=self.external_memory,
        )


def _how_to_hand_on(task: Task, ways: Sequence[Transition]) -> list[Advice]:
    """Return the advice for a task that no single move hands on."""
    if not ways or task.lease_owner is None:
        look = Advice("task.get", to="see the moves from here, and who may make them", task=task.place)
        take = Advice("task.claim", to="take it first", task=task.place)
        return [take, look] if task.claimable else [look]
    return [
        Advice("task.move", to=f"make the move {name}", task=task.place, move=name)
        for name in sorted(rule.name for rule in ways)
    ]


def _hands_on(rule: Transition, task: Task, actor: Actor) -> bool:
    """Tell whether the holder's work leads to this move: it is no end, no release and no rejection."""
    return (
        rule.starts_from(task.status, task.role)
        and actor.is_among(rule.actors, task.role)
        and rule.name != "release"
        and not rule.strike
        and not task.definition.status(rule.to).terminal
    )
