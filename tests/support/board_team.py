"""A board as its team uses it: every act is a tool call with the token of a member, over a real database.

async with open_team(db) as team:
    task = await team.ready("tea")
    await team("anna", "task_claim", task=task, memory_query_session=await team.asked("anna"))
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from frasier.board import ApprovalMode, BoardEngine, add_member, make_board, set_mode
from frasier.board.external_memory.protocol import ExternalMemory
from frasier.interfaces.advice import ToolCalls
from frasier.interfaces.operations import Envelope, OperationContext
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.kernel.errors import FrasierError
from frasier.kernel.ids import new_id
from frasier.memory import Caller, MemoryEngine, issue_token, open_engine, verify_token
from frasier.store import Database
from frasier.workflow import FOUNDER
from support.call_tool import call_tool
from support.memory_client import NO_VECTORS
from support.team import NotificationRecorder, StubLinkChecker, liaison_answers

BOARD = "kettle"
ROLES = {"anna": "pdsa", "dan": "dev", "dora": "dev", "quinn": "qa", "lia": "liaison"}
BOSS = Caller(name="founder", scopes=("shared", "founder"), founder=True)
WANTED = {
    "description": "A kettle that whistles when the water boils.",
    "acceptance_criteria": ["It whistles."],
}
DESIGN = "https://example.org/design/v0.0.1.md"
DONE = {
    "abstract_ref": "https://example.org/abstract.md",
    "changelog_ref": "https://example.org/changelog.md",
    "liaison_review": "Looked at it, and it whistles.",
}


def completion_fields(task: str) -> dict[str, str]:
    """Return the fields of a completion, in words of the task's own."""
    return DONE | {"liaison_review": f"Looked at {task}, and it whistles."}


@dataclass
class Team:
    """Calls of tools as a member by name, or as the founder (`boss`)."""

    engine: MemoryEngine
    board: BoardEngine
    callers: dict[str, Caller]
    links: StubLinkChecker = field(default_factory=StubLinkChecker)
    told: NotificationRecorder = field(default_factory=NotificationRecorder)
    tokens: dict[str, str] = field(default_factory=dict)

    async def __call__(self, who: str, tool: str, **arguments: Any) -> dict[str, Any]:
        return (await self.envelope(who, tool, **arguments)).data

    async def envelope(self, who: str, tool: str, **arguments: Any) -> Envelope[dict[str, Any]]:
        """Call a tool and return its whole envelope."""
        context = OperationContext(
            engine=self.engine, caller=self.callers[who], dialect=ToolCalls(), board=self.board
        )
        return await call_tool({**TASK_OPERATIONS, **MEMORY_OPERATIONS}, context, tool, arguments)

    async def refused(self, who: str, tool: str, **arguments: Any) -> FrasierError:
        """Make a call that must be refused and change nothing of the task; return the error."""
        before = await self._stored(arguments.get("task"))
        with pytest.raises(FrasierError) as caught:
            await self(who, tool, **arguments)
        assert await self._stored(arguments.get("task")) == before
        return caught.value

    async def _stored(self, slug: str | None) -> Any:
        if slug is not None and not slug.isprintable():
            return None
        async with self.board.database.transaction() as tx:
            cursor = await tx.execute("select * from workflow_tasks where slug = %s", [slug])
            return await cursor.fetchone()

    async def asked(self, who: str) -> str:
        """Open a session in which the member searched the memory."""
        session = f"s-{new_id().hex}"
        await self(who, "memory_search", query="kettle whistle", session=session)
        return session

    async def learned(self, who: str) -> str:
        """Save a memory of the member."""
        saved = await self(who, "memory_save", content=f"{who} learned {new_id()} about kettles.")
        return str(saved["id"])

    async def create(self, slug: str = "tea", **more: Any) -> str:
        task_arguments = {"name": slug, "title": f"Title of {slug}", "fields": WANTED} | more
        await self("lia", "task_create", **task_arguments)
        return slug

    async def ready(self, slug: str = "tea", **more: Any) -> str:
        await self.create(slug, **more)
        await self("lia", "task_move", task=slug, move="ready", fields={"depends_on_reviewed": True})
        return slug

    async def claim(self, who: str, task: str) -> int:
        """Claim the task; return the attempt."""
        held = await self(who, "task_claim", task=task, memory_query_session=await self.asked(who))
        return int(held["attempt"])

    async def deliver(self, who: str, task: str, attempt: int, **fields: Any) -> dict[str, Any]:
        fields = {"memory_contribution_id": await self.learned(who)} | fields
        return await self(who, "task_deliver", task=task, attempt=attempt, fields=fields)

    async def designed(self, slug: str = "tea") -> str:
        """Create a task whose design waits for approval."""
        attempt = await self.claim("anna", await self.ready(slug))
        await self.deliver("anna", slug, attempt, pdsa_ref=DESIGN)
        return slug

    async def approve(self, task: str, who: str = "lia") -> dict[str, Any]:
        fields = {"liaison_review": f"{task} is as it was asked for.", **liaison_answers(task, "approval")}
        return await self(who, "task_move", task=task, move="approve_design", fields=fields)

    async def built(self, slug: str = "tea") -> str:
        """Create a task whose work waits for the tester's review."""
        await self.approve(await self.designed(slug))
        await self.tested(slug)
        attempt = await self.claim("dan", slug)
        await self.deliver("dan", slug, attempt, implementation="src/kettle.py")
        return slug

    async def tested(self, task: str) -> None:
        """Create a task whose tests are written for an approved design and handed over."""
        attempt = await self.claim("quinn", task)
        await self(
            "quinn", "task_deliver", task=task, attempt=attempt, fields={"qa_tests": "tests/test_kettle.py"}
        )
        await self("quinn", "task_move", task=task, move="hand_over")

    async def place(self, task: str) -> tuple[str, str]:
        task_view = await self("lia", "task_get", task=task)
        return task_view["status"], task_view["role"]


@asynccontextmanager
async def open_team(
    db: Database, *, mode: ApprovalMode = ApprovalMode.AUTONOMOUS, brain: ExternalMemory | None = None
) -> AsyncIterator[Team]:
    """Create a board with its members, each with a token."""
    links, told = StubLinkChecker(), NotificationRecorder()
    callers, tokens = {"boss": BOSS}, {}
    async with db.transaction() as tx:
        await make_board(tx, BOARD, actor=FOUNDER)
        await set_mode(tx, BOARD, mode, seen=1, actor=FOUNDER)
        for name, role in ROLES.items():
            token = tokens[name] = await issue_token(tx, name, ["shared", f"board:{BOARD}"])
            await add_member(tx, name, [role], [BOARD], actor=FOUNDER)
            callers[name] = await verify_token(tx, token)
    async with open_engine(db, NO_VECTORS, owner_url=db.url) as engine:
        board = BoardEngine(
            database=db, links=links, direct_url=db.url, notify_founder=told, external_memory=brain
        )
        yield Team(engine=engine, board=board, callers=callers, links=links, told=told, tokens=tokens)
