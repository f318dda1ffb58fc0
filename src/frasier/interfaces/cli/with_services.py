"""Access of commands to the services: open them, run one function, and close them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Concatenate, ParamSpec, TypeVar

import typer

from frasier.interfaces.cli.acting_as import actor_here, check_founder
from frasier.interfaces.cli.completion import complete_mission, complete_step
from frasier.interfaces.cli.utf8_args import refuse_broken_text

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import Application
    from frasier.interfaces.services import Services
    from frasier.store import Tx
    from frasier.store.embedded import EmbeddedServer
    from frasier.workflow import Actor

P = ParamSpec("P")
T = TypeVar("T")

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
LimitOption = Annotated[
    int, typer.Option("--limit", "-n", min=1, max=1_000, help="How many to show at most.")
]
MissionArgument = Annotated[
    str,
    typer.Argument(
        metavar="MISSION",
        help="A mission's id, its beginning or end, or `last`.",
        autocompletion=complete_mission,
    ),
]
StepArgument = Annotated[
    str,
    typer.Argument(
        metavar="STEP",
        help="MISSION/KEY, or a step's id, its beginning or end.",
        autocompletion=complete_step,
    ),
]
BoardOption = Annotated[
    str | None,
    typer.Option("--board", "-b", help="The board; by default the only one that there is for you."),
]
NoteOption = Annotated[
    str, typer.Option("--note", "--reason", "--comment", help="Why; it is kept with what you do.")
]


def command_group(about: str = "") -> typer.Typer:
    """Create a group of commands under one name. Their help is plain, because Rich would double the time that it
    takes.

    The help of a lazily loaded group is defined at its placeholder.
    """
    return typer.Typer(help=about, no_args_is_help=True, rich_markup_mode=None)


@contextmanager
def embedded_server(application: Application) -> Iterator[EmbeddedServer]:
    """Start the embedded server for the body; stop it afterwards unless others use it or it is to keep running."""
    server = application.server()
    server.start()
    try:
        yield server
    finally:
        server.release(stop_if_last=not application.place().keep_running.exists())


def with_services(
    context: typer.Context, work: Callable[[Services], Awaitable[T]], *, any_actor: bool = False
) -> T:
    """Run `work` with the services of this process. Raises InvalidInput if an argument is not text.

    Raises NotAllowed if FRASIER_TOKEN belongs to anybody but the founder, unless `any_actor` is set: then `work` checks
    the actor itself.
    """
    import asyncio

    refuse_broken_text(context.params)
    application: Application = context.obj

    async def main() -> T:
        async with application.services() as services:
            if not any_actor:
                await check_founder(services.in_transaction)
            return await work(services)

    try:
        return asyncio.run(main())
    except KeyboardInterrupt:
        # Long commands end in order by themselves; this came earlier, or in a command that only reads.
        typer.echo("Interrupted. What had begun is stored; nothing new was started.", err=True)
        raise typer.Exit(130) from None


def in_transaction(
    context: typer.Context,
    use_case: Callable[Concatenate[Tx, P], Awaitable[T]],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Run one use case of the founder in a transaction of its own. Raises as with_services does."""
    return with_services(context, lambda services: services.in_transaction(use_case, *args, **kwargs))


def as_actor(context: typer.Context, work: Callable[[Services, Actor], Awaitable[T]]) -> T:
    """Run `work` with the services of this process and the actor at this command line, see actor_here."""

    async def act(services: Services) -> T:
        return await work(services, await services.in_transaction(actor_here))

    return with_services(context, act, any_actor=True)


async def check_embedding_key(services: Services) -> None:
    """Refuse to start if the embedding provider refuses its key; warn on standard error if it does not answer."""
    if warning := await services.memory.check_key():
        warning = warning if warning.endswith((".", "!", "?", "…")) else f"{warning}."
        typer.echo(f"Warning: {warning} Memories are found by their words until it answers.", err=True)
