"""How a memory command asks its tool and shows the answer: as whoever acts, in their scopes and those named."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

import typer

from frasier.interfaces.cli.with_services import with_services

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page
    from frasier.interfaces.services import Services
    from frasier.interfaces.tools import Progress
    from frasier.memory import Caller

T = TypeVar("T")

Data: TypeAlias = dict[str, Any]
"""A tool's answer, or the envelope around it, as JSON."""

Call: TypeAlias = Callable[[str, Mapping[str, Any]], Awaitable[Data]]
"""Calls the tool of that name; gives the envelope."""

Draw: TypeAlias = "Callable[[Page, Data], None]"
"""Puts the data of an answer on a page."""

OnlyScopes = Annotated[
    list[str] | None,
    typer.Option("--scope", "-s", help="Only this scope, repeatable; else `shared` and `founder`."),
]
AlsoScopes = Annotated[
    list[str] | None,
    typer.Option("--scope", "-s", help="Also a scope beside `shared` and `founder`; repeatable."),
]
HomeScope = Annotated[
    str | None, typer.Option("--scope", "-s", help="Whose it is; everybody's, `shared`, if not said.")
]
MemoryArgument = Annotated[
    str, typer.Argument(metavar="MEMORY", help="A memory's id; its last 8 characters are enough.")
]
SessionOption = Annotated[
    str | None, typer.Option("--session", help="A session: nothing is given twice within it.")
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]

# What a recall may make up for, so that a memory gets its vector where no server runs.
_CATCH_UP_S = 2.0


def ask(
    context: typer.Context,
    tool: str,
    arguments: Mapping[str, Any],
    *,
    scopes: list[str] | None = None,
    catch_up: bool = False,
    progress: Progress | None = None,
) -> Data:
    """The envelope of one tool, called as whoever acts. With `catch_up`, vectors that are owed are made first,
    for two seconds at most.

    What is None in `arguments` is left out. `scopes` come before the caller's own: the first is where something
    new goes.
    """

    async def work(call: Call) -> Data:
        return await call(tool, arguments)

    return talk(context, work, scopes=scopes, catch_up=catch_up, progress=progress)


def talk(
    context: typer.Context,
    work: Callable[[Call], Awaitable[T]],
    *,
    scopes: list[str] | None = None,
    catch_up: bool = False,
    progress: Progress | None = None,
) -> T:
    """Does what `ask` does with several tools, which `work` calls."""

    async def run(services: Services) -> T:
        from frasier.interfaces.advice import CommandLine
        from frasier.interfaces.cli.utf8_args import refuse_broken_text
        from frasier.interfaces.memory_tools import TOOLS
        from frasier.interfaces.tools import Surroundings, call_tool

        async def call(tool: str, arguments: Mapping[str, Any]) -> Data:
            given = {name: value for name, value in arguments.items() if value is not None}
            refuse_broken_text(given)
            return (await call_tool(TOOLS, around, tool, given)).model_dump(mode="json")

        services.memory.leave_saves_to_others()  # an encoder that is being loaded would hold up the command's end
        caller = await _caller(services, scopes)
        around = Surroundings(engine=services.memory, caller=caller, dialect=CommandLine(), progress=progress)
        if catch_up:
            await services.memory.embed_briefly(_CATCH_UP_S)
        return await work(call)

    return with_services(context, run, anybody=True)


def show(envelope: Data, draw: Draw, *, as_json: bool) -> None:
    """Prints the envelope as it is, or draws its data for a person, with what else there is to say below."""
    from frasier.interfaces.cli.output import Page, print_json

    if as_json:
        print_json(envelope)
        return
    page = Page()
    draw(page, envelope["data"])
    if degraded := envelope["meta"]["degraded"]:
        page.line(("! ", "bold yellow"), (f"This is less than it could be: {degraded}", "yellow"))
    for hint in envelope["hints"]:
        page.line((hint, "dim"))
    page.show()


def say(envelope: Data, *, as_json: bool) -> None:
    """Shows an answer of which the summary says everything."""
    show(envelope, lambda page, _data: page.line(envelope["summary"]), as_json=as_json)


async def _caller(services: Services, scopes: list[str] | None) -> Caller:
    """Whoever acts (see who_acts). The founder may name any scope, a member its own."""
    from dataclasses import replace

    from frasier.interfaces.cli.acting_as import who_acts

    caller = await services.in_transaction(who_acts)
    named = tuple(scopes or ())
    wanted = (*named, *caller.scopes) if caller.founder else (*caller.allow(named), *caller.scopes)
    return replace(caller, scopes=tuple(dict.fromkeys(wanted)))
