"""`frasier ask`, `revise` and `steer`: what the founder says about a mission."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.answers import have_answered, show_answer
from frasier.interfaces.cli.output import print_json
from frasier.interfaces.cli.with_services import JsonOption, MissionArgument, with_services

if TYPE_CHECKING:
    from frasier.interfaces.services import Services


def ask(
    context: typer.Context,
    mission: MissionArgument,
    question: Annotated[str, typer.Argument(help='A question about it, such as "why [3]?".')],
    as_json: JsonOption = False,
) -> None:
    """Ask about a mission. The answer comes from its evidence: the result, its statements, their sources."""
    from frasier.org.planning import ask_mission

    async def work(services: Services) -> int:
        document, code = await have_answered(
            services,
            lambda: services.in_transaction(
                ask_mission, mission, question, rehearsal=services.setup.rehearsal
            ),
            heard="" if as_json else "Heard. The evidence of the mission is read.",
        )
        if as_json:
            print_json(document)
            return code
        show_answer(document)
        if counts := document["verification"]:
            verified = f"Verified {counts['verified']} of {counts['statements']} statements of this answer."
            typer.echo(verified, err=True)
        return code

    raise typer.Exit(with_services(context, work))


def revise(
    context: typer.Context,
    mission: MissionArgument,
    wish: Annotated[str, typer.Argument(help='What shall be different, such as "shorter, with prices".')],
    as_json: JsonOption = False,
) -> None:
    """Have a new version of a result made. It is written from what was read and paid for, and reviewed like the first.

    The version before it is kept. A run that was interrupted goes on with `frasier resume`.
    """
    from frasier.interfaces.cli.run import see_through
    from frasier.org.planning import revise_mission

    async def work(services: Services) -> int:
        services.check_settings()
        message = await services.in_transaction(
            revise_mission, mission, wish, rehearsal=services.setup.rehearsal
        )
        if not as_json:
            typer.echo("Heard. A new version is made; the one before it is kept.", err=True)
        return await see_through(services, message.about, as_json=as_json)

    raise typer.Exit(with_services(context, work))


def steer(
    context: typer.Context,
    mission: MissionArgument,
    change: Annotated[str, typer.Argument(help='What shall be different, such as "leave out Asia".')],
    as_json: JsonOption = False,
) -> None:
    """Change what is not done yet of a mission. Steps that are done stay; it says what it changed."""
    from frasier.org.planning import steer_mission

    async def work(services: Services) -> int:
        document, code = await have_answered(
            services,
            lambda: services.in_transaction(
                steer_mission, mission, change, rehearsal=services.setup.rehearsal
            ),
            heard="" if as_json else "Heard. The steps that are not done are looked through.",
        )
        if as_json:
            print_json(document)
        else:
            show_answer(document)
        return code

    raise typer.Exit(with_services(context, work))
