"""`frasier ask`, `revise` and `steer`: what the founder says about a mission."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.message_answers import have_answered, show_answer
from frasier.interfaces.cli.output import print_json
from frasier.interfaces.cli.run_operation import call_organisation
from frasier.interfaces.cli.with_services import JsonOption, MissionArgument, with_services
from frasier.kernel.humanize import plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from frasier.interfaces.operations import Operation
    from frasier.interfaces.operations.organisation.messages import MessageOutput
    from frasier.interfaces.services import Services
    from frasier.org.conversation import FounderMessage


def ask(
    context: typer.Context,
    mission: MissionArgument,
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help='A question about it, such as "why [3]?".')
    ],
    as_json: JsonOption = False,
) -> None:
    """Ask about a mission. The answer comes from its evidence: the result, its statements, their sources."""
    from frasier.interfaces.operations.organisation.messages import ASK

    arguments = {"mission": mission, "question": question}
    _have_answered(context, ASK, arguments, as_json=as_json, heard="The evidence of the mission is read.")


def revise(
    context: typer.Context,
    mission: MissionArgument,
    wish: Annotated[
        str, typer.Argument(metavar="WISH", help='What shall be different, such as "shorter, with prices".')
    ],
    as_json: JsonOption = False,
) -> None:
    """Have a new version of a result made. It is written from what was read and paid for, and reviewed like the first.

    The version before it is kept. A run that was interrupted goes on with `frasier resume`.
    """
    from frasier.interfaces.cli.run import see_through
    from frasier.interfaces.operations.organisation.messages import REVISE

    async def work(services: Services) -> int:
        call = await call_organisation(services)
        services.check_settings()
        message = (await call(REVISE, {"mission": mission, "wish": wish})).data.message.message
        if not as_json:
            typer.echo("Heard. A new version is made; the one before it is kept.", err=True)
        return await see_through(services, message.about, as_json=as_json)

    raise typer.Exit(with_services(context, work, any_actor=True))


def steer(
    context: typer.Context,
    mission: MissionArgument,
    change: Annotated[
        str, typer.Argument(metavar="CHANGE", help='What shall be different, such as "leave out Asia".')
    ],
    as_json: JsonOption = False,
) -> None:
    """Change what is not done yet of a mission. Steps that are done stay; it says what it changed."""
    from frasier.interfaces.operations.organisation.messages import STEER

    arguments = {"mission": mission, "change": change}
    _have_answered(
        context, STEER, arguments, as_json=as_json, heard="The steps that are not done are reviewed."
    )


def _have_answered(
    context: typer.Context,
    operation: Operation[Any, MessageOutput],
    arguments: Mapping[str, Any],
    *,
    as_json: bool,
    heard: str,
) -> None:
    """Store a message about a mission by an operation, show its answer, and exit."""

    async def work(services: Services) -> int:
        call = await call_organisation(services)

        async def store() -> FounderMessage:
            return (await call(operation, arguments)).data.message.message

        document, code = await have_answered(services, store, heard="" if as_json else f"Heard. {heard}")
        if as_json:
            print_json(document)
            return code
        show_answer(document)
        if (counts := document["verification"]) and counts["statements"]:
            stated = plural(counts["statements"], "statement")
            verified = f"Verified {counts['verified']} of {stated} of this answer."
            typer.echo(verified, err=True)
        return code

    raise typer.Exit(with_services(context, work, any_actor=True))
