"""Texts that the chief of staff writes for colleagues, personas and methods: one outline for all of them.

The context is gathered once; the text is written and checked, and once more with the faults that were found.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast
from uuid import UUID

from pydantic import BaseModel

from frasier.llm import Request
from frasier.memory import Memory
from frasier.store import Tx
from frasier.work.deep_work.context import LeftOutRule, system_prompt
from frasier.work.run_lease import Run
from frasier.work.run_memory import lessons_for

InputsT = TypeVar("InputsT")
ReplyT = TypeVar("ReplyT", bound=BaseModel)


@dataclass(frozen=True, kw_only=True)  # a generic one cannot be created with slots
class WritingContext(Generic[InputsT]):
    """The inputs of a text with the system message of its author, gathered once."""

    inputs: InputsT
    system: str
    rules_left_out: tuple[LeftOutRule, ...] = ()


@dataclass(frozen=True, kw_only=True)  # a generic one cannot be created with slots
class WrittenText(Generic[ReplyT]):
    """A written text with the faults against it; none if it can be used."""

    reply: ReplyT
    faults: tuple[str, ...]


async def gather_writing(
    run: Run,
    shape: type[WritingContext[InputsT]],
    *,
    about: str,
    work: str,
    inputs: Callable[[Tx], Awaitable[InputsT]],
    of_mission: bool,
) -> WritingContext[InputsT]:
    """Gather the context of a text once: what the author has learned `about` it, and the inputs.

    The memories that it is made from are noted for the mission of the run's task, if it is one `of_mission`.
    """
    used: dict[UUID, Sequence[Memory]] = {}

    async def gather() -> WritingContext[InputsT]:
        author = run.assignee_id
        lessons = await lessons_for(await run.memory(), author, about, rehearsal=run.gateway.is_rehearsal)
        async with run.database.transaction() as tx:
            prompt = await system_prompt(run, tx, author, work=work, lessons=lessons)
            used[author] = prompt.memories
            return shape(inputs=await inputs(tx), system=prompt.text, rules_left_out=prompt.rules_left_out)

    return await run.checkpoint(
        "context",
        (run.task.id, run.task.round),
        shape,
        gather,
        alongside=run.note_memories(used) if of_mission else None,
    )


async def write_checked(
    run: Run,
    context: WritingContext[InputsT],
    shape: type[WrittenText[ReplyT]],
    reply_type: type[ReplyT],
    *,
    request: Callable[..., Request],
    find_faults: Callable[[Tx, ReplyT], Awaitable[Sequence[str]]],
) -> WrittenText[ReplyT]:
    """Write a text by `request`, and a second time with its faults where it has some; return the last one."""

    async def attempt(now: WritingContext[InputsT], phase: str) -> WrittenText[ReplyT]:
        async def compute() -> WrittenText[ReplyT]:
            reply = await run.ask_for(reply_type, request(now.inputs, system=now.system), phase)
            async with run.database.transaction() as tx:
                return shape(reply=reply, faults=tuple(await find_faults(tx, reply)))

        return await run.checkpoint(phase, (now,), shape, compute)

    written = await attempt(context, "writing-1")
    if not written.faults:
        return written
    told = replace(cast("Any", context.inputs), faults=written.faults)
    return await attempt(replace(context, inputs=told), "writing-2")
