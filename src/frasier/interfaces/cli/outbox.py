"""`frasier outbox`: external effects that are pending, done, or in need of another try."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.errors import ExitCode
from frasier.interfaces.cli.output import Page, mark, short, show_view
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.waiting import add_effects
from frasier.interfaces.cli.with_services import JsonOption, LimitOption, command_group

if TYPE_CHECKING:
    from frasier.interfaces.operations.organisation.outbox import OutboxOutput
    from frasier.overview import UnsettledEffect

outbox = command_group("Outbox: publications and announcements on their way.")


@outbox.command("list")
def list_(
    context: typer.Context,
    limit: LimitOption = 50,
    everything: Annotated[bool, typer.Option("--all", help="Also what was sent.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List effects that are on their way, in trouble or in doubt."""
    from frasier.interfaces.operations.organisation.outbox import LIST

    view = ask_organisation(context, LIST, {"limit": limit, "sent": everything})
    show_view(view, _draw_effects, as_json=as_json)


@outbox.command()
def resend(
    context: typer.Context,
    effect: Annotated[
        str | None,
        typer.Argument(
            metavar="EFFECT", help="An effect's id, its beginning or end; all of them without it."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Try again at once what failed, is in doubt or waits for its next try."""
    from frasier.interfaces.operations.organisation.outbox import RESEND

    states = ask_organisation(context, RESEND, {"effect": effect}).effects
    show_view(states, _draw_resent, lambda states: {"effects": states}, as_json=as_json)
    if any(state.in_trouble for state in states):
        raise typer.Exit(ExitCode.PROVIDER)


def _draw_effects(page: Page, view: OutboxOutput) -> None:
    if not view.effects:
        page.line("Nothing is on its way, in trouble or in doubt.")
    add_effects(page, view.effects)
    page.more(len(view.effects), more=view.more)
    if any(effect.in_trouble for effect in view.effects):
        page.line(("`frasier outbox resend` tries what is in trouble or in doubt again, at once.", "dim"))


def _draw_resent(page: Page, states: Sequence[UnsettledEffect]) -> None:
    if not states:
        page.line("Nothing is in trouble or in doubt.")
    for state in states:
        detail = state.error or (state.receipt or {}).get("path", "")
        page.line(mark(state.state), f" {state.kind} {short(state.effect)}: {state.state}  {detail}")
