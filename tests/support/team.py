"""A team for tests: members, and the preparation of what their moves need, through the public functions."""

from __future__ import annotations

import hashlib
from typing import Any
from uuid import UUID

from frasier.board import FounderNotification, FoundLink
from frasier.board.evidence.records import record_evidence
from frasier.board.evidence.work_digest import work_digest
from frasier.kernel.ids import new_id
from frasier.memory import SHARED_SCOPE, Caller, MemoryKind, NewMemory, open_session, save_memory
from frasier.memory.sessions.dedupe import mark_sent
from frasier.store import Database, Tx
from frasier.workflow import Actor, ActorKind, Task, claim_task, get_task, move

LEASE_S = 60.0


def member(name: str, *roles: str) -> Actor:
    return Actor(ActorKind.MEMBER, name, frozenset(roles))


ANNA = member("anna", "pdsa")
DAN = member("dan", "dev")
DORA = member("dora", "dev")
QUINN = member("quinn", "qa")
LIA = member("lia", "liaison")


def liaison_answers(task: str, kind: str) -> dict[str, str]:
    """Return three answers of a liaison that no other task has."""
    return {f"liaison_q{n}_{kind}": f"Answer {n} about {task}, which nobody copied." for n in (1, 2, 3)}


class StubLinkChecker:
    """A LinkChecker for which every link resolves except those in `broken`."""

    def __init__(self) -> None:
        self.broken: set[str] = set()
        self.asked: list[str] = []

    async def check(self, link: str) -> FoundLink:
        self.asked.append(link)
        broken = link in self.broken
        return FoundLink(
            resolves=not broken, digest=hashlib.sha256(link.encode()).hexdigest(), why="404" if broken else ""
        )


class NotificationRecorder:
    """A recorder of the notifications to the founder."""

    def __init__(self) -> None:
        self.news: list[FounderNotification] = []

    async def __call__(self, _tx: object, news: FounderNotification) -> None:
        self.news.append(news)


async def open_search_session(db: Database, actor: Actor) -> str:
    """Open a session in which the actor just searched the memory."""
    async with db.transaction() as tx:
        return await open_search_session_in(tx, actor)


async def open_search_session_in(tx: Tx, actor: Actor) -> str:
    """Open such a session within a transaction."""
    session_id = f"s-{new_id().hex}"
    await open_session(tx, Caller(name=actor.name, scopes=(SHARED_SCOPE,)), session_id)
    await mark_sent(tx, session_id, [], asked_by=actor.name)
    return session_id


async def save_lesson(db: Database, actor: Actor) -> str:
    """Save a memory of the actor."""
    async with db.transaction() as tx:
        return await save_lesson_in(tx, actor)


async def save_lesson_in(tx: Tx, actor: Actor) -> str:
    """Save such a memory within a transaction."""
    new = NewMemory(
        kind=MemoryKind.LESSON,
        scope=SHARED_SCOPE,
        content=f"What {actor.name} learned: {new_id()}.",
        provenance={"saved_by": actor.name},
    )
    return str(await save_memory(tx, new))


async def add_evidence(db: Database, task_id: UUID, kind: str, subject: str, *, holds: bool = True) -> None:
    """Record evidence as the engine does."""
    async with db.transaction() as tx:
        task = await get_task(tx, task_id)
        await record_evidence(
            tx,
            task.id,
            task.attempt,
            kind=kind,
            subject=subject,
            holds=holds,
            digest="d",
            facts={},
            by="test",
            work=work_digest(task.definition, task.fields),
        )


async def claim_after_search(db: Database, task: Task, actor: Actor) -> Task:
    """Claim the task after a search of the memory."""
    claim_fields = {"memory_query_session": await open_search_session(db, actor)}
    async with db.transaction() as tx:
        return await claim_task(tx, task.id, actor=actor, lease_s=LEASE_S, fields=claim_fields)


async def make_team_move(
    db: Database, task: Task, name: str, actor: Actor, *, attempt: int | None = None, **fields: Any
) -> Task:
    """Make one move after preparing what its gates look for: resolved links, passed tests, a saved lesson."""
    rule = task.definition.transitions[name]
    for value in fields.values():
        if isinstance(value, str) and value.startswith("https://"):
            await add_evidence(db, task.id, "link", value)
    if "tests" in rule.gates:
        await add_evidence(db, task.id, "command", "unit")
    if "memory_contribution_id" in rule.needs and "memory_contribution_id" not in fields:
        fields["memory_contribution_id"] = await save_lesson(db, actor)
    for kind, gate in (("approval", "approval_questions"), ("complete", "completion_questions")):
        if gate in rule.gates:
            fields = liaison_answers(task.slug, kind) | fields
    async with db.transaction() as tx:
        return await move(tx, task.id, name, actor=actor, attempt=attempt, fields=fields)
