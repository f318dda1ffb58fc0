"""How a command of tasks asks its tool and shows the answer: as whoever the token names, or as the founder."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from frasier.interfaces.cli.memory.call_tool import Call, Data, Draw
from frasier.interfaces.cli.memory.call_tool import show as show_answer
from frasier.interfaces.cli.with_services import with_services

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page
    from frasier.interfaces.services import Services
    from frasier.workflow import Actor

T = TypeVar("T")

TaskArgument = Annotated[
    str, typer.Argument(metavar="TASK", help="PROJECT/NAME, NAME, or the task's id, its beginning or end.")
]
ProjectOption = Annotated[
    str | None, typer.Option("--project", "-p", help="Whose board; the only one there is, if not said.")
]
FieldOption = Annotated[
    list[str] | None,
    typer.Option(
        "--field",
        "-f",
        metavar="NAME=VALUE",
        help="What the task shall hold, as the field's kind wants it: a text; true or false; a whole number; of a list"
        " one item, repeatable, or all as JSON that begins with [. NAME=@FILE reads it from a file (@- from standard"
        " input), NAME=@@… is a text that begins with @, NAME:=JSON takes JSON as it is, NAME= empties the field."
        " Repeatable.",
    ),
]
AttemptOption = Annotated[
    int | None, typer.Option("--attempt", help="The attempt that `claim` gave you; needed while you hold it.")
]
HeldAttemptOption = Annotated[int, typer.Option("--attempt", help="The attempt that `claim` gave you.")]
FounderAnswerOption = Annotated[
    str,
    typer.Option(
        "--founder-answer", help="Word for word what the founder said, where the project's mode asks for it."
    ),
]
NoteOption = Annotated[str, typer.Option("--note", help="One sentence for the record.")]


def ask(context: typer.Context, tool: str, arguments: Mapping[str, Any]) -> Data:
    """The envelope of one tool. What is None in `arguments` is left out."""

    async def work(call: Call) -> Data:
        return await call(tool, arguments)

    return talk(context, work)


def talk(context: typer.Context, work: Callable[[Call], Awaitable[T]]) -> T:
    """Does what `ask` does with several tools, which `work` calls."""

    async def run(services: Services) -> T:
        return await work(await caller_of_tools(services))

    return with_services(context, run, anybody=True)


async def acting(services: Services) -> Actor:
    """Whoever acts at this command line, as boards know it."""
    from frasier.board import actor_of
    from frasier.interfaces.cli.acting_as import who_acts

    return await services.in_transaction(actor_of, await services.in_transaction(who_acts))


async def caller_of_tools(services: Services) -> Call:
    """What calls tools of tasks as whoever acts at this command line."""
    from frasier.interfaces.advice import CommandLine
    from frasier.interfaces.cli.acting_as import who_acts
    from frasier.interfaces.cli.utf8_args import refuse_broken_text
    from frasier.interfaces.task_tools import TASK_TOOLS
    from frasier.interfaces.tools import Surroundings, call_tool

    caller = await services.in_transaction(who_acts)
    around = Surroundings(engine=services.memory, caller=caller, dialect=CommandLine(), board=services.board)

    async def call(tool: str, arguments: Mapping[str, Any]) -> Data:
        given = {name: value for name, value in arguments.items() if value is not None}
        refuse_broken_text(given)
        return (await call_tool(TASK_TOOLS, around, tool, given)).model_dump(mode="json")

    return call


def show(envelope: Data, draw: Draw, *, as_json: bool) -> None:
    """Prints the envelope as it is, or draws its data for a person, with what else there is to say below."""
    show_answer(envelope, draw, as_json=as_json)


def say(envelope: Data, *, as_json: bool) -> None:
    """Shows an answer of which the summary says everything."""

    def draw(page: Page, _data: Data) -> None:
        page.line(envelope["summary"])

    show(envelope, draw, as_json=as_json)
