"""A run: a task under a lease, with checkpoints, and a check of the lease before every write."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Hashable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import cache
from typing import Any, Protocol, TypeVar, cast
from uuid import UUID
from zoneinfo import ZoneInfo

from psycopg.types.json import Jsonb
from pydantic import BaseModel, TypeAdapter

from frasier.kernel.errors import BadReply, InvariantBroken, Stale
from frasier.kernel.fault_points import fault_point
from frasier.kernel.text import fingerprint
from frasier.llm import Account, Gateway, Reply, Request
from frasier.memory import Memory, MemoryEngine
from frasier.org.governance import last_settled_at
from frasier.org.missions import note_used_memories
from frasier.org.people import Capability
from frasier.org.skills import skills_withdrawn_from
from frasier.store import Database, Statements, Tx
from frasier.work.run_activity import activity_text, add_activity
from frasier.work.run_capabilities import CAPABILITY_OF_PURPOSE, record_refusal, refusal_of
from frasier.work.run_outcomes import RunOutcome
from frasier.work.run_web import ReadLinks, ReadPages
from frasier.workflow import Actor, Task, get_task, lock_attempt

_sql = Statements("frasier.work")

Value = TypeVar("Value")
ReplyType = TypeVar("ReplyType", bound=BaseModel)


@cache
def _type_adapter(shape: Hashable) -> TypeAdapter[Any]:
    """Return the adapter of a shape; building one takes as long as several checkpoints."""
    return TypeAdapter(cast("Any", shape))


class RunPausedError(Exception):
    """The mission was paused; raised at the next checkpoint, and turned into an outcome by the worker."""


class Run:
    """The environment of a run: its task, guarded transactions, models, memory and checkpoints.

    A run is given nothing but by its `capabilities`: the memory, the index of sources, the web, models for a purpose,
    and a transaction that writes what only some may write. The memory is queried outside of transactions; see
    run_memory. `cap_usd_micros` is a cap of the task's own, where a run has one; the calls of one that `is_background`
    never delay others.
    """

    def __init__(
        self,
        task: Task,
        *,
        database: Database,
        gateway: Gateway,
        memory: MemoryEngine,
        worker: Actor,
        pages: ReadPages[Run] | None = None,
        links: ReadLinks | None = None,
        capabilities: frozenset[Capability] = frozenset(),
        time_zone: str = "",
    ) -> None:
        self.task = task
        self.attempt = task.attempt
        self.database = database
        self.gateway = gateway
        self.worker = worker
        self.capabilities = capabilities
        self._memory = memory
        self._pages = pages
        self._links = links
        self._refused: set[Capability] = set()
        self._withdrawn_skills: tuple[str, ...] = ()
        self.cap_usd_micros: int | None = None
        self.is_background = False
        self._time_zone = time_zone

    async def require(self, capability: Capability) -> None:
        """Raise CapabilityRefused, and record it, unless the run has the capability."""
        if capability in self.capabilities:
            return
        if capability not in self._refused:
            self._refused.add(capability)
            async with self.database.transaction() as tx:
                await record_refusal(tx, self.task, capability)
        raise refusal_of(self.task, capability)

    def narrow(self, withheld: Collection[Capability]) -> None:
        """Take capabilities from the run; none is ever added."""
        self.capabilities -= set(withheld)

    async def memory(self) -> MemoryEngine:
        """Return the memory, to recall from."""
        await self.require(Capability.RECALL_MEMORY)
        return self._memory

    async def source_index(self) -> MemoryEngine:
        """Return the memory as the index of a mission's sources."""
        await self.require(Capability.READ_SOURCES)
        return self._memory

    async def pages(self) -> ReadPages[Run]:
        """Return the reader of web pages, which searches only for a run that may search."""
        await self.require(Capability.FETCH_PAGES)
        if self._pages is None:
            raise InvariantBroken("the worker has no reader of web pages")
        return self._pages

    async def links(self) -> ReadLinks:
        """Return the reader of the links that the founder wrote."""
        await self.require(Capability.FETCH_PAGES)
        if self._links is None:
            raise InvariantBroken("the worker has no reader of links")
        return self._links

    @asynccontextmanager
    async def fenced(self, writes: Capability | None = None) -> AsyncIterator[Tx]:
        """Open a transaction for the holder of the lease; raises LeaseLost for anybody else.

        One that `writes` what only some may write raises CapabilityRefused for a run without that capability.
        """
        if writes is not None:
            await self.require(writes)
        async with self.database.transaction() as tx:
            if await lock_attempt(tx, self.task.id, self.attempt):
                raise RunPausedError
            yield tx

    async def checkpoint(
        self,
        phase: str,
        inputs: tuple[Any, ...],
        shape: type[Value],
        compute: Callable[[], Awaitable[Value]],
        *,
        alongside: Callable[[Tx, Value], Awaitable[None]] | None = None,
        describe: Callable[[Value], str] | None = None,
    ) -> Value:
        """Return the result of `phase` for these `inputs`: the stored one if it exists, else compute and store it.

        `shape` is a dataclass or Pydantic model; its JSON is what is stored. Changed inputs are a new phase.
        `alongside` stores related data in the same transaction: once, like the result. `describe` tells whoever
        watches what came of it, in a line.
        """
        if phase == "context" and (withdrawn := await self._look_for_withdrawn_skills()):
            # A context that was kept has the text of a skill in it that nobody may be given any more.
            inputs = (*inputs, withdrawn)
        adapter: TypeAdapter[Value] = _type_adapter(cast("Hashable", shape))
        named = {"task_id": self.task.id, "phase": phase, "fingerprint": fingerprint(phase, *inputs)}
        begun = named | {"attempt": self.attempt}
        async with self.database.transaction() as tx:
            stored = await _sql.maybe(tx, "get_checkpoint", **named)
            if stored is None:
                await _sql.run(tx, "begin_phase", **begun, worker=self.worker.name)
        if stored is not None:
            return adapter.validate_python(stored["output"])
        output = adapter.dump_python(await compute(), mode="json")
        # Decoded as by a run that takes over, so that both give the next phases the same fingerprints.
        value = adapter.validate_python(output)
        async with self.fenced() as tx:
            if alongside is not None:
                await alongside(tx, value)
            told = activity_text(describe(value)) if describe else ""
            await _sql.run(tx, "save_checkpoint", **begun, output=Jsonb(output), told=told)
        fault_point("run.context_saved" if phase == "context" else "phase.checkpointed")
        return value

    def note_memories(
        self, used: Mapping[UUID, Sequence[Memory]], *, mission_id: UUID | None = None
    ) -> Callable[[Tx, object], Awaitable[None]]:
        """Return what stores, beside a context, the memories that each agent's prompts are given from it.

        The mission is that of the task, unless `mission_id` names another.
        """

        async def note(tx: Tx, _context: object) -> None:
            for agent_id, memories in used.items():
                await note_used_memories(
                    tx,
                    task_id=self.task.id,
                    mission_id=mission_id or self.task.group_id,
                    agent_id=agent_id,
                    memories=memories,
                )

        return note

    async def report(self, phase: str, text: str) -> None:
        """Tell whoever watches what the run is doing now, in a line."""
        async with self.fenced() as tx:
            await add_activity(tx, self.task.id, self.attempt, phase, text)

    async def founder_time(self, tx: Tx) -> datetime:
        """Return the present time in the founder's time zone."""
        row = await _sql.one(tx, "current_moment")
        moment: datetime = row["moment"]
        return moment.astimezone(ZoneInfo(self._time_zone) if self._time_zone else None)

    async def _look_for_withdrawn_skills(self) -> tuple[str, ...]:
        """Note which skills of third parties the task was given and may not be given now; drift quarantines them."""
        async with self.database.transaction() as tx:
            self._withdrawn_skills = await skills_withdrawn_from(tx, self.task.id)
        return self._withdrawn_skills

    async def ask(self, request: Request, phase: str, *, agent_id: UUID | None = None) -> Reply:
        """Ask a model; return a paid, stored and checked answer. A repeated question of a task is free.

        `agent_id` is the agent in whose name it is asked, the task's assignee by default. A paused mission asks nothing
        more; an answer in flight is still stored, because it is paid for. Raises CapabilityRefused for a purpose that
        the run has no capability for.
        """
        before = self._withdrawn_skills
        if await self._look_for_withdrawn_skills() != before:
            raise Stale(
                f"A skill of a third party that {self.task.title!r} was given may not be given any more.",
                kept="The run goes on without it.",
            )
        if (needed := CAPABILITY_OF_PURPOSE[request.purpose]) is not None:
            await self.require(needed)
        async with self.database.transaction() as tx:
            if (await get_task(tx, self.task.id)).held:
                raise RunPausedError
            renewed_at = await last_settled_at(tx, self.task.id)

        async def guard(tx: Tx) -> None:
            await lock_attempt(tx, self.task.id, self.attempt)

        account = Account(
            task_id=self.task.id,
            attempt=self.attempt,
            round=self.task.round,
            mission_id=self.task.group_id,
            agent_id=agent_id or self.task.assignee,
            phase=phase,
            renewed_at=renewed_at,
            cap_usd_micros=self.cap_usd_micros,
            in_background=self.is_background,
            guard=guard,
        )
        return await self.gateway.ask(request, account)

    async def ask_for(
        self, shape: type[ReplyType], request: Request, phase: str, *, agent_id: UUID | None = None
    ) -> ReplyType:
        """Ask like `ask`, and return the structured reply, which has the given shape."""
        reply = await self.ask(request, phase, agent_id=agent_id)
        if not isinstance(reply.parsed, shape):
            raise BadReply(f"The reply for {request.purpose} does not have the shape {shape.__name__}.")
        return reply.parsed

    @property
    def assignee_id(self) -> Any:
        if self.task.assignee is None:
            raise InvariantBroken(f"task {self.task.id} has no assignee")
        return self.task.assignee


class RunKind(Protocol):
    """The way to carry out the tasks of one process, registered with the worker by the composition root."""

    @property
    def process(self) -> str: ...

    async def run(self, run: Run) -> RunOutcome: ...
