"""A tool: one thing that can be asked of this house, the same over MCP, HTTP and the command line."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from frasier.interfaces.advice import Dialect, render_hints
from frasier.interfaces.tool_catalog import Layer
from frasier.interfaces.tools.depth_limit import levels
from frasier.interfaces.tools.schema import short_schema
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.validation_messages import wrong_value

if TYPE_CHECKING:
    from frasier.board import Board
    from frasier.memory import Caller, MemoryEngine

TOKEN_BUDGETS: Mapping[Layer, tuple[int, int]] = {
    Layer.ORCHESTRATION: (2000, 4000),
    Layer.DISCOVERY: (200, 500),
    Layer.SURGICAL: (200, 800),
    Layer.EXPLORATION: (500, 1500),
    Layer.DETAIL: (1000, 2000),
}
"""What an answer of each layer usually costs, as its description says."""


class ToolInput(BaseModel):
    """What a tool takes: unknown keys are refused, texts are not silently converted, nothing is nested too deeply."""

    # Each command of the CLI loads all tools and uses one, so that a schema is built when it is first used.
    model_config = ConfigDict(extra="forbid", frozen=True, str_max_length=200_000, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _refuse_what_is_too_deep(cls, given: Any) -> Any:
        for _ in levels(given):
            pass
        return given


class Meta(BaseModel):
    """How the answer came about. `tokens` is what the data costs its reader.

    `degraded` says why it is less than it could be; empty where it is not.
    """

    tool: str
    latency_ms: float = 0.0
    tokens: int = 0
    cache_hit: bool = False
    degraded: str = ""


class Envelope(BaseModel):
    """What every tool answers: a sentence, the data, what to do next, and how it came about."""

    summary: str
    data: dict[str, Any]
    hints: list[str] = Field(default_factory=list)
    meta: Meta


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A tool's own part of the envelope. `data` is JSON."""

    summary: str
    data: dict[str, Any]
    hints: tuple[str | Advice, ...] = ()
    cache_hit: bool = False
    degraded: str = ""


Progress: TypeAlias = Callable[[int, int], Awaitable[None]]
"""Is told how much is done, more each time, of how much: what is to be done may grow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Whom a tool works for, and with what: whose words (`dialect`) its advice is rendered in. Where somebody waits,
    `progress` is told by tools that take long. `board` is there where tasks are served.
    """

    engine: MemoryEngine
    caller: Caller
    dialect: Dialect
    board: Board | None = None
    progress: Progress | None = None


Input = TypeVar("Input", bound=ToolInput)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Generic[Input]):
    """`about` is what a model reads; `read_only`, `destructive` and `idempotent` are the protocol's hints."""

    name: str
    title: str
    layer: Layer
    about: str
    input: type[Input]
    run: Callable[[Surroundings, Input], Awaitable[Reply]]
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False

    @property
    def description(self) -> str:
        """The description with the layer and its budget in front, as hosts show it."""
        least, most = TOKEN_BUDGETS[self.layer]
        return f"[L{self.layer.value}|{least}-{most}t] {self.about}"

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the input: always a plain object, as short as it can be."""
        return short_schema(self.input)


async def call_tool(
    tools: Mapping[str, Tool[Any]], surroundings: Surroundings, name: str, arguments: Mapping[str, Any]
) -> Envelope:
    """Checks the arguments, runs the tool, and wraps what it says. Raises FrasierError: interfaces show it."""
    tool = tools.get(name)
    if tool is None:
        raise NotFound(
            f"There is no tool {name[:80]!r}.", number="E030", hint=f"There are {', '.join(tools)}."
        )
    began = time.perf_counter()
    reply = await tool.run(surroundings, read_arguments(tool, arguments, surroundings.dialect))
    return Envelope(
        summary=reply.summary,
        data=reply.data,
        hints=render_hints(reply.hints, surroundings.dialect),
        meta=Meta(
            tool=name,
            latency_ms=round((time.perf_counter() - began) * 1000, 2),
            tokens=surroundings.engine.counter.count(json.dumps(reply.data, ensure_ascii=False)),
            cache_hit=reply.cache_hit,
            degraded=reply.degraded,
        ),
    )


def read_arguments(tool: Tool[Input], arguments: Mapping[str, Any], dialect: Dialect) -> Input:
    """The arguments as the tool takes them; raises InvalidInput that names every wrong one, without its value."""
    try:
        return tool.input.model_validate(dict(arguments))
    except ValidationError as error:
        problems = error.errors(include_input=False, include_url=False)
        said = "; ".join(wrong_value(_path(problem["loc"]), problem) for problem in problems[:5])
        raise InvalidInput(
            f"The input is wrong: {said}.",
            number=_number({problem["type"] for problem in problems}),
            kept="Nothing was saved or changed.",
            hint=dialect.explain_inputs(tool.name, tool.input.model_fields),
        ) from None


def _path(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part)[:60] for part in location) or "arguments"


def _number(kinds: set[str]) -> str:
    if "missing" in kinds:
        return "E031"
    ranges = ("greater", "less", "too_long", "too_short", "string_too", "enum", "literal")
    return "E032" if all(kind.startswith(ranges) for kind in kinds) else "E030"
