"""`frasier outbox`: what was to happen outside, what did, and what needs another try."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.errors import ExitCode
from frasier.interfaces.cli.opening import (
    JsonOption,
    LimitOption,
    command_group,
    in_transaction,
    with_services,
)

if TYPE_CHECKING:
    from frasier.interfaces.services import Services
    from frasier.store import EffectState, Tx

outbox = command_group("Outbox: publications and announcements on their way.")


@outbox.command("list")
def list_(
    context: typer.Context,
    limit: LimitOption = 50,
    everything: Annotated[bool, typer.Option("--all", help="Also what was sent.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List effects that are on their way, in trouble or in doubt."""
    from frasier.interfaces.cli.present import Page, print_json
    from frasier.interfaces.cli.waiting import add_effects, effect_as_dict

    async def read(_services: Services, tx: Tx) -> list[EffectState]:
        from frasier.store import latest_effects

        return await latest_effects(tx, limit=limit, sent=everything)

    effects = [effect_as_dict(effect) for effect in in_transaction(context, read)]
    if as_json:
        print_json({"effects": effects})
        return
    page = Page()
    if not effects:
        page.line("Nothing is on its way, in trouble or in doubt.")
    add_effects(page, effects)
    if any(effect["in_trouble"] for effect in effects):
        page.line(("`frasier outbox resend` tries what is in trouble or in doubt again, at once.", "dim"))
    page.show()


@outbox.command()
def resend(
    context: typer.Context,
    effect: Annotated[
        str | None, typer.Argument(help="An effect's id, its beginning or end; all of them without it.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Try again at once what failed, is in doubt or waits for its next try."""
    from frasier.interfaces.cli.present import print_json

    states = with_services(context, lambda services: _resend(services, effect))
    document = {"effects": states}
    if as_json:
        print_json(document)
    else:
        _draw_resent(states)
    if any(state["in_trouble"] for state in states):
        raise typer.Exit(ExitCode.PROVIDER)


async def _resend(services: Services, text: str | None) -> list[dict[str, Any]]:
    from frasier.interfaces.cli.waiting import effect_as_dict
    from frasier.store import effects_of, open_effects, resend_effect

    async with services.database.transaction() as tx:
        chosen = _choose(await open_effects(tx), text)
        for effect in chosen:
            await resend_effect(tx, effect.id, actor="founder:founder")
    if chosen:
        await services.outbox.drain(limit=max(len(chosen), 20))
    after = []
    async with services.database.transaction() as tx:
        for effect in chosen:
            after += [now for now in await effects_of(tx, effect.stream) if now.id == effect.id]
    return [effect_as_dict(effect) for effect in after]


def _choose(effects: list[EffectState], text: str | None) -> list[EffectState]:
    from frasier.kernel.errors import NotFound
    from frasier.kernel.ids import CANDIDATES, ambiguous, id_part, is_part_of

    if text is None:
        return effects
    part = id_part(text)
    fitting = [effect for effect in effects if part and is_part_of(part, effect.id)]
    if len(fitting) == 1:
        return fitting
    if fitting:
        raise ambiguous(text, "effects", [f"{one.id} ({one.kind})" for one in fitting[:CANDIDATES]])
    raise NotFound(
        f"No effect {text!r} is in trouble or in doubt.",
        kept="Nothing was sent.",
        hint="`frasier outbox list` shows them.",
    )


def _draw_resent(states: list[dict[str, Any]]) -> None:
    from frasier.interfaces.cli.present import Page, mark, short

    page = Page()
    if not states:
        page.line("Nothing is in trouble or in doubt.")
    for state in states:
        detail = state["error"] or (state["receipt"] or {}).get("path", "")
        page.line(
            mark(state["state"]), f" {state['kind']} {short(state['effect'])}: {state['state']}  {detail}"
        )
    page.show()
