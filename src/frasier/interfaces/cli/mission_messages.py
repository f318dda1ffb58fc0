"""`frasier ask`: what the founder says about a mission."""

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
