"""An operation: one use case with typed input and output, which MCP, HTTP and the command line present."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import get_annotations
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar, get_args
from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from frasier.interfaces.advice import Dialect, Reader, render_hints
from frasier.interfaces.operations.cli_option import option_of
from frasier.interfaces.operations.depth_limit import levels
from frasier.interfaces.operations.json_values import as_json
from frasier.interfaces.operations.output import Output
from frasier.interfaces.operations.schema import short_schema
from frasier.interfaces.tool_catalog import Introduction, Layer
from frasier.kernel.advice import Advice
from frasier.kernel.errors import ConfigurationError, InvalidInput, NotAllowed, NotFound
from frasier.kernel.humanize import person
from frasier.kernel.validation_messages import wrong_value

if TYPE_CHECKING:
    from frasier.board import BoardEngine
    from frasier.interfaces.services import Services
    from frasier.memory import Caller, MemoryEngine


TOKEN_BUDGETS: Mapping[Layer, tuple[int, int]] = {
    Layer.ORCHESTRATION: (2000, 4000),
    Layer.DISCOVERY: (200, 500),
    Layer.SURGICAL: (200, 800),
    Layer.EXPLORATION: (500, 1500),
    Layer.DETAIL: (1000, 2000),
}
"""Usual cost of an answer of each layer in tokens, least and most, as its description says."""


class OperationInput(BaseModel):
    """The input of an operation: unknown keys are refused, texts are not converted, nothing is nested too deeply."""

    # A schema is built when it is first used: a command uses one of those that its module declares.
    model_config = ConfigDict(extra="forbid", frozen=True, str_max_length=200_000, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _refuse_deep_nesting(cls, arguments: Any) -> Any:
        for _ in levels(arguments):
            pass
        return arguments


class NoInput(OperationInput):
    """The input of an operation that takes nothing."""


Input = TypeVar("Input", bound=OperationInput)
Data = TypeVar("Data", bound=Output)
Data_co = TypeVar("Data_co", covariant=True)


class Meta(Output):
    """Facts about an answer. `tokens` is what the data costs its reader, 0 if the context does not count them.

    `degraded` says why it is less than it could be; empty where it is not.
    """

    tool: str
    latency_ms: float
    tokens: int
    cache_hit: bool
    degraded: str


class Envelope(Output, Generic[Data_co]):
    """The answer of every operation: a sentence, the data, what to do next, and how it came about."""

    summary: str
    data: Data_co
    hints: tuple[str, ...]
    meta: Meta


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Generic[Data_co]):
    """An operation's own part of the envelope."""

    summary: str
    data: Data_co
    hints: tuple[str | Advice, ...] = ()
    cache_hit: bool = False
    degraded: str = ""


WriteUploads: TypeAlias = Callable[[Sequence[UUID], Path], Awaitable[Sequence[Path]]]
"""Writes the files that the caller uploaded under some ids into a folder; raises NotFound for other ids."""

Progress: TypeAlias = Callable[[int, int], Awaitable[None]]
"""Is told how much is done, more each time, of how much: what is to be done may grow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationContext:
    """The caller that an operation works for, and what it works with. Its advice is rendered in the words of `dialect`.

    `engine` is there where the memory is served, `board` where tasks are, `services` where the organisation is.
    Operations that take long report to `progress`, where somebody waits. `counts_tokens` says whether the tokens of an
    answer are counted, for which the tokenizer is loaded; `counts_use` whether a memory that is read counts as used.
    `at_machine` says that the caller sits at the founder's machine, so that it may name files there; `write_uploads`
    writes files that were uploaded, where files can be.
    """

    caller: Caller
    dialect: Dialect
    engine: MemoryEngine | None = None
    board: BoardEngine | None = None
    services: Services | None = None
    progress: Progress | None = None
    counts_tokens: bool = True
    counts_use: bool = True
    at_machine: bool = False
    write_uploads: WriteUploads | None = None

    @property
    def memory(self) -> MemoryEngine:
        """The engine of the memory; raises ConfigurationError where it is not served."""
        if self.engine is None:
            raise ConfigurationError("The memory is not served here.")
        return self.engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[Input, Data]):
    """`about` is what a model reads; `read_only`, `destructive` and `idempotent` are the hints of MCP.

    One that is `founders` is for the founder alone; if it is `read_only`, for observers, too.
    """

    name: str
    title: str
    layer: Layer
    about: str
    input: type[Input]
    output: type[Data]
    run: Callable[[OperationContext, Input], Awaitable[Result[Data]]]
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    founders: bool = False

    @property
    def description(self) -> str:
        """The description with the layer and its budget in front, as hosts show it."""
        least, most = TOKEN_BUDGETS[self.layer]
        return f"[L{self.layer.value}|{least}-{most}t] {self.about}"

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON schema of the input: always a plain object, as short as it can be."""
        return short_schema(self.input)

    @property
    def output_schema(self) -> dict[str, Any]:
        """The JSON schema of the envelope with this operation's data."""
        schema = short_schema(Envelope)
        return schema | {"properties": schema["properties"] | {"data": short_schema(self.output)}}


AnyOperation: TypeAlias = Operation[Any, Any]


def operations_of(*modules: ModuleType) -> Mapping[str, AnyOperation]:
    """Return the operations that these modules declare, by name and in the order of their declaration."""
    declared = (value for module in modules for value in vars(module).values())
    return {operation.name: operation for operation in declared if isinstance(operation, Operation)}


def find_operation(operations: Mapping[str, AnyOperation], name: str) -> AnyOperation:
    """Return the operation of that name; raise NotFound with the names of all."""
    if (operation := operations.get(name)) is None:
        raise NotFound(
            f"There is no tool {name[:80]!r}.",
            number="E030",
            kept="Nothing was changed.",
            hint=f"There are {', '.join(operations)}.",
        )
    return operation


async def run_operation(
    operation: Operation[Input, Data], context: OperationContext, arguments: Mapping[str, Any]
) -> Envelope[Data]:
    """Check the caller and the arguments, run the operation, and wrap its result. Raises FrasierError: interfaces show
    it.
    """
    began = time.perf_counter()
    check_rights(operation, context.caller)
    result = await operation.run(context, read_arguments(operation, arguments, context.dialect))
    return Envelope(
        summary=result.summary,
        data=result.data,
        hints=tuple(render_hints(result.hints, context.dialect)),
        meta=Meta(
            tool=operation.name,
            latency_ms=round((time.perf_counter() - began) * 1000, 2),
            tokens=_count_tokens(context, result.data) if context.counts_tokens else 0,
            cache_hit=result.cache_hit,
            degraded=result.degraded,
        ),
    )


def reader_of(caller: Caller) -> Reader:
    """Return the rights of a caller, as advice is worded for them."""
    if caller.founder:
        return Reader.FOUNDER
    return Reader.OBSERVER if caller.observer else Reader.MEMBER


def check_rights(operation: AnyOperation, caller: Caller) -> None:
    """Raise NotAllowed unless the caller may run the operation: whom it is for is decided here, for every interface."""
    action = operation.title[:1].lower() + operation.title[1:]
    if caller.read_only and not operation.read_only:
        raise NotAllowed(
            f"{person(caller.name)} may only read, and so cannot {action}.",
            kept="Nothing was changed.",
            hint="The founder makes tokens; one for reading alone changes nothing.",
        )
    if operation.founders and operation.read_only:
        caller.require_observer(action)
    elif operation.founders:
        caller.require_founder(action)


def _count_tokens(context: OperationContext, data: Output) -> int:
    return context.memory.counter.count(json.dumps(as_json(data), ensure_ascii=False))


def read_arguments(operation: Operation[Input, Any], arguments: Mapping[str, Any], dialect: Dialect) -> Input:
    """Return the arguments as the operation takes them; raise InvalidInput naming each wrong one, without its value."""
    hint = dialect.explain_inputs(operation.name, operation.input.model_fields)
    return read_fields(operation.input, arguments, dialect, hint=hint)


def read_fields(model: type[Input], values: Mapping[str, Any], dialect: Dialect, *, hint: str) -> Input:
    """Return the values as `model`; raise InvalidInput with that hint, naming each wrong one, without its value."""
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        problems = error.errors(include_input=False, include_url=False)
        listed = "; ".join(
            wrong_value(_path(problem["loc"], model, dialect), problem) for problem in problems[:5]
        )
        raise InvalidInput(
            f"The input is wrong: {listed}.",
            number=_number({problem["type"] for problem in problems}),
            kept="Nothing was saved or changed.",
            hint=hint,
        ) from None


def _path(location: tuple[int | str, ...], arguments: type[OperationInput], dialect: Dialect) -> str:
    """Name the place of a wrong value, its field as the reader of `dialect` knows it."""
    parts = [str(part)[:60] for part in location]
    if parts and (field := arguments.model_fields.get(parts[0])) is not None:
        parts[0] = dialect.name_input(parts[0], option_of(field).label(parts[0]))
    return ".".join(parts) or "arguments"


def _number(kinds: set[str]) -> str:
    if "missing" in kinds:
        return "E031"
    ranges = ("greater", "less", "too_long", "too_short", "string_too", "enum", "literal")
    return "E032" if all(kind.startswith(ranges) for kind in kinds) else "E030"


def declare(
    run: Callable[[OperationContext, Input], Awaitable[Result[Data]]],
    *,
    name: str,
    title: str,
    layer: Layer,
    about: str,
    read_only: bool = False,
    destructive: bool = False,
    idempotent: bool | None = None,
    founders: bool = False,
) -> Operation[Input, Data]:
    """Return the operation that `run` carries out; its annotations say the input and the output.

    What only reads is idempotent unless `idempotent` says otherwise.
    """
    _context, input_, result = get_annotations(run, eval_str=True).values()
    return Operation(
        name=name,
        title=title,
        layer=layer,
        about=about,
        input=input_,
        output=get_args(result)[0],
        run=run,
        read_only=read_only,
        destructive=destructive,
        idempotent=read_only if idempotent is None else idempotent,
        founders=founders,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSet:
    """Some tools by name, and the introduction that a host knows them by."""

    introduction: Introduction
    tools: Mapping[str, AnyOperation]
