"""Run operations for a command, as the actor at this command line, and show their answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeAlias, TypeVar

import typer

from frasier.interfaces.advice import CommandLine
from frasier.interfaces.cli.acting_as import refuse_members, who_acts
from frasier.interfaces.cli.output import Page, print_json
from frasier.interfaces.cli.utf8_args import refuse_broken_text
from frasier.interfaces.cli.with_services import with_services

if TYPE_CHECKING:
    from frasier.interfaces.operations import (
        Envelope,
        Operation,
        OperationContext,
        OperationInput,
        Output,
        Progress,
    )
    from frasier.interfaces.services import Services
    from frasier.memory import Caller

T = TypeVar("T")
In = TypeVar("In", bound="OperationInput")
Out = TypeVar("Out", bound="Output")


class Call(Protocol):
    """A function that runs one operation. Arguments that are None are left out."""

    async def __call__(
        self, operation: Operation[In, Out], arguments: Mapping[str, Any], /
    ) -> Envelope[Out]: ...


Draw: TypeAlias = "Callable[[Page, Out], None]"
"""Adds the data of an answer to a page."""

AlsoScopes = Annotated[
    list[str] | None,
    typer.Option("--scope", "-s", help="Also a scope beside `shared` and `founder`; repeatable."),
]
HomeScope = Annotated[
    str | None, typer.Option("--scope", "-s", help="Whose it is; everybody's, `shared`, if not said.")
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]

# How long a recall may spend on pending vectors, so that memories get them even if no server runs.
_CATCH_UP_S = 2.0


def ask(
    context: typer.Context,
    operation: Operation[In, Out],
    arguments: Mapping[str, Any],
    *,
    boards: bool = False,
    scopes: Sequence[str] | None = None,
    catch_up: bool = False,
    progress: Progress | None = None,
) -> Envelope[Out]:
    """Return the answer of one operation; see call_for for the parameters."""

    async def work(call: Call) -> Envelope[Out]:
        return await call(operation, arguments)

    return talk(context, work, boards=boards, scopes=scopes, catch_up=catch_up, progress=progress)


def talk(
    context: typer.Context,
    work: Callable[[Call], Awaitable[T]],
    *,
    boards: bool = False,
    scopes: Sequence[str] | None = None,
    catch_up: bool = False,
    progress: Progress | None = None,
) -> T:
    """Run several operations, which `work` calls. With `catch_up`, pending vectors are made first.

    The tokens of their answers are counted with --json only: nothing else shows them.
    """
    as_json = bool(context.params.get("as_json"))

    async def run(services: Services) -> T:
        call = await call_for(
            services, boards=boards, scopes=scopes, progress=progress, counts_tokens=as_json
        )
        if catch_up:
            await services.memory.embed_briefly(_CATCH_UP_S)
        return await work(call)

    return with_services(context, run, any_actor=True)


async def call_for(
    services: Services,
    *,
    boards: bool = False,
    scopes: Sequence[str] | None = None,
    progress: Progress | None = None,
    counts_tokens: bool = True,
) -> Call:
    """Return a function that calls operations as the actor here, with those of `boards` on request.

    `scopes` precede the caller's own: the first is that of new memories. See OperationContext for `counts_tokens`.
    """
    from frasier.interfaces.operations import OperationContext, reader_of

    caller = await _caller(services, scopes)
    services.memory.leave_saves_to_others()  # an encoder that is still loading would delay the end of the command
    operation_context = OperationContext(
        engine=services.memory,
        caller=caller,
        dialect=CommandLine(reader_of(caller)),
        board=services.board if boards else None,
        services=services,
        progress=progress,
        counts_tokens=counts_tokens,
    )

    return _call(operation_context)


def _call(context: OperationContext) -> Call:
    from frasier.interfaces.operations import run_operation

    async def call(operation: Operation[In, Out], arguments: Mapping[str, Any], /) -> Envelope[Out]:
        typed = {name: value for name, value in arguments.items() if value is not None}
        refuse_broken_text(typed)
        return await run_operation(operation, context, typed)

    return call


def ask_organisation(
    context: typer.Context, operation: Operation[In, Out], arguments: Mapping[str, Any]
) -> Out:
    """Return the data of one operation of the organisation, which the founder runs, or an observer who reads."""

    async def run(services: Services) -> Out:
        call = await call_organisation(services)
        return (await call(operation, arguments)).data

    return with_services(context, run, any_actor=True)


async def call_organisation(services: Services) -> Call:
    """Return a function that calls operations of the organisation as the actor here. Raises NotAllowed for a member."""
    from frasier.interfaces.operations import OperationContext, reader_of

    caller = await services.in_transaction(who_acts)
    refuse_members(caller)
    return _call(
        OperationContext(
            caller=caller,
            dialect=CommandLine(reader_of(caller)),
            services=services,
            counts_tokens=False,
            at_machine=True,
        )
    )


def show(answer: Envelope[Out], draw: Draw[Out], *, as_json: bool, summary: bool = False) -> None:
    """Print the answer as JSON, or draw its data for a person, followed by its hints.

    With `summary`, its summary comes first.
    """
    from frasier.interfaces.operations import as_json as json_of

    if as_json:
        print_json(json_of(answer))
        return
    page = Page()
    if summary:
        page.line(answer.summary)
    draw(page, answer.data)
    if degraded := answer.meta.degraded:
        page.line(("! ", "bold yellow"), (f"This is less than it could be: {degraded}", "yellow"))
    for hint in answer.hints:
        page.line((hint, "dim"))
    page.show()


def show_summary(answer: Envelope[Out], *, as_json: bool) -> None:
    """Show an answer whose summary says everything."""
    show(answer, lambda _page, _data: None, as_json=as_json, summary=True)


async def _caller(services: Services, scopes: Sequence[str] | None) -> Caller:
    """Return the actor (see who_acts) with the named scopes: the founder may name any, a member its own."""
    from dataclasses import replace

    caller = await services.in_transaction(who_acts)
    named = tuple(scopes or ())
    scope_names = (*named, *caller.scopes) if caller.founder else (*caller.allow(named), *caller.scopes)
    return replace(caller, scopes=tuple(dict.fromkeys(scope_names)))
