"""A board with what its moves need from outside: links are looked up before a move, and the founder is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from frasier.kernel.errors import TransitionRefused
from frasier.store import Database
from frasier.workflow.blocking import block
from frasier.workflow.claim import claim_task
from frasier.workflow.decisions import DecisionNeeded, ask_decision, find_decision
from frasier.workflow.evidence import LinkChecker
from frasier.workflow.gathering import gather_links
from frasier.workflow.lookup import get_task, permit
from frasier.workflow.process import Actor, ActorKind, Transition
from frasier.workflow.task import Task
from frasier.workflow.telling import Tell, about_block, about_decision
from frasier.workflow.transition import move
from frasier.workflow.upkeep import BoardUpkeep, board_upkeep

_LINKS = "links"


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """What moves the tasks of teams. `lease_s` is how long a claimed task is held without being renewed.

    `direct_url` reaches the database past any pooler; `tell` tells the founder.
    """

    database: Database
    links: LinkChecker
    direct_url: str
    tell: Tell
    lease_s: float = 1800.0

    def upkeep(self) -> list[BoardUpkeep]:
        """What has to be done from time to time, by whoever serves it."""
        return board_upkeep(self.database, self.tell)

    async def claim(self, task_id: UUID, fields: Mapping[str, Any], *, actor: Actor) -> Task:
        """Takes the task for `actor`; see claim.claim_task."""
        async with self.database.transaction() as tx:
            return await claim_task(tx, task_id, actor=actor, lease_s=self.lease_s, fields=fields)

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
        """Makes the move; see transition.move. Links are looked up before it, and where it waits for the founder's
        decision, that is asked for: DecisionNeeded is raised either way.
        """
        async with self.database.transaction() as tx:
            task = await get_task(tx, task_id)
        rule = task.definition.transitions.get(transition)
        if rule is not None and _LINKS in rule.gates:
            permit(
                task, transition, actor=actor, fields=fields
            )  # nothing is looked up for what is refused anyway
            await gather_links(self.database, self.links, task, fields, actor=actor)
        try:
            async with self.database.transaction() as tx:
                return await move(
                    tx,
                    task_id,
                    transition,
                    actor=actor,
                    fields=fields,
                    attempt=attempt,
                    note=note,
                    founder_answer=founder_answer,
                )
        except DecisionNeeded as needed:
            if needed.wanted is not None:
                async with self.database.transaction() as tx:
                    decision_id = await ask_decision(tx, needed.wanted, actor=actor)
                    await self.tell(tx, about_decision(await find_decision(tx, decision_id)))
            raise

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
            return task

    async def deliver(
        self, task_id: UUID, fields: Mapping[str, Any], *, actor: Actor, attempt: int | None, note: str = ""
    ) -> Task:
        """Writes the result and hands the task on, in one: by the one move that leads on from where it is.

        Raises TransitionRefused where there is none, or more than one.
        """
        async with self.database.transaction() as tx:
            task = await get_task(tx, task_id)
        ways = [rule for rule in task.definition.transitions.values() if _hands_on(rule, task, actor)]
        if task.lease_owner is None or len(ways) != 1:
            raise TransitionRefused(
                f"{task.slug} cannot be delivered from {task.status} with {task.role}.",
                kept=f"{task.slug} is unchanged.",
                hint=f"Choose the move: {', '.join(sorted(rule.name for rule in ways)) or 'claim it first'}.",
            )
        return await self.move(task_id, ways[0].name, fields, actor=actor, attempt=attempt, note=note)


def _hands_on(rule: Transition, task: Task, actor: Actor) -> bool:
    """Whether a move is what the holder's work leads to: not an end, a giving back or a rejection."""
    return (
        rule.starts_from(task.status, task.role)
        and actor.is_among(rule.actors, task.role)
        and rule.name != "release"
        and not rule.strike
        and not task.definition.status(rule.to).terminal
    )
