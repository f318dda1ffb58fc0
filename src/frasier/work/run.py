"""One run: a task under a lease, with checkpoints, and a fence before everything it writes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Protocol, TypeVar

from psycopg.types.json import Jsonb
from pydantic import BaseModel, TypeAdapter

from frasier.kernel.errors import BadReply, InvariantBroken
from frasier.kernel.faults import fault_point
from frasier.kernel.text import fingerprint
from frasier.llm import Account, Gateway, Reply, Request
from frasier.memory import MemoryEngine
from frasier.org.governance import last_settled_at
from frasier.store import Database, Statements, Tx
from frasier.work.outcome import RunOutcome
from frasier.workflow import Actor, Task, fence, get_task

_sql = Statements("frasier.work")

Value = TypeVar("Value")
ReplyType = TypeVar("ReplyType", bound=BaseModel)


class RunPausedError(Exception):
    """Raised inside a run at the next checkpoint after its mission was paused; the worker turns it into a value."""


class Run:
    """What a kind of run works with: its task, the database behind a fence, the models, the memory, its checkpoints.

    The memory is asked outside of transactions; see remembering.
    """

    def __init__(
        self, task: Task, *, database: Database, gateway: Gateway, memory: MemoryEngine, worker: Actor
    ) -> None:
        self.task = task
        self.attempt = task.attempt
        self.database = database
        self.gateway = gateway
        self.memory = memory
        self.worker = worker

    @asynccontextmanager
    async def fenced(self) -> AsyncIterator[Tx]:
        """A transaction that only the holder of the lease can write in; raises LeaseLost for anybody else."""
        async with self.database.transaction() as tx:
            if await fence(tx, self.task.id, self.attempt):
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
    ) -> Value:
        """The result of `phase` for these `inputs`: read back where a run stored it, else computed and stored.

        `shape` is a dataclass or Pydantic model; its JSON is what is stored. Changed inputs are a new phase.
        `alongside` stores what else belongs to the result, in the same transaction: once, like the result.
        """
        adapter: TypeAdapter[Value] = TypeAdapter(shape)
        named = {"task_id": self.task.id, "phase": phase, "fingerprint": fingerprint(phase, *inputs)}
        begun = named | {"attempt": self.attempt}
        async with self.database.transaction() as tx:
            stored = await _sql.maybe(tx, "get_checkpoint", **named)
            if stored is None:
                await _sql.run(tx, "begin_phase", **begun, worker=self.worker.name)
        if stored is not None:
            return adapter.validate_python(stored["output"])
        output = adapter.dump_python(await compute(), mode="json")
        # As a run that takes over will read it, so that both give the next phases the same fingerprints.
        value = adapter.validate_python(output)
        async with self.fenced() as tx:
            if alongside is not None:
                await alongside(tx, value)
            await _sql.run(tx, "save_checkpoint", **begun, output=Jsonb(output))
        fault_point("run.context_saved" if phase == "context" else "phase.checkpointed")
        return value

    async def ask(self, request: Request, phase: str) -> Reply:
        """A paid, stored and checked answer. The same question of the same task is never paid twice.

        Of a paused mission nothing more is asked; an answer that is under way then is still stored, as it is paid.
        """
        async with self.database.transaction() as tx:
            if (await get_task(tx, self.task.id)).held:
                raise RunPausedError
            renewed_at = await last_settled_at(tx, self.task.id)

        async def guard(tx: Tx) -> None:
            await fence(tx, self.task.id, self.attempt)

        account = Account(
            task_id=self.task.id,
            attempt=self.attempt,
            round=self.task.round,
            mission_id=self.task.group_id,
            agent_id=self.task.assignee,
            phase=phase,
            renewed_at=renewed_at,
            guard=guard,
        )
        return await self.gateway.ask(request, account)

    async def ask_for(self, shape: type[ReplyType], request: Request, phase: str) -> ReplyType:
        """Like `ask`, for a request whose reply has the given shape."""
        reply = await self.ask(request, phase)
        if not isinstance(reply.parsed, shape):
            raise BadReply(f"The reply for {request.purpose} has not the shape {shape.__name__}.")
        return reply.parsed

    @property
    def assignee_id(self) -> Any:
        if self.task.assignee is None:
            raise InvariantBroken(f"task {self.task.id} has no assignee")
        return self.task.assignee


class RunKind(Protocol):
    """How the tasks of one process are carried out. Registered with the worker by the composition root."""

    @property
    def process(self) -> str: ...

    async def run(self, run: Run) -> RunOutcome: ...
