"""`frasier directives`: the founder's standing rules, listed, added and withdrawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.opening import JsonOption, command_group, in_transaction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from frasier.interfaces.cli.present import Page
    from frasier.interfaces.services import Services
    from frasier.memory import Memory
    from frasier.store import Tx

directives = command_group("Standing rules: what holds for all work until you withdraw it.")

_SHOWN_CHARS = 200


@directives.command("list")
def list_(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the standing rules in force. Those that find no room in prompts are marked."""
    from frasier.interfaces.cli.present import print_json

    async def read(_services: Services, tx: Tx) -> dict[str, Any]:
        return {"directives": await _read_directives(tx)}

    document = in_transaction(context, read)
    if as_json:
        print_json(document)
    else:
        _draw_directives(document["directives"]).show()


@directives.command()
def add(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help='The rule, such as "Always state prices in EUR net."')],
    as_json: JsonOption = False,
) -> None:
    """Record a standing rule. It is in the prompts of all work from now on."""
    from frasier.interfaces.cli.present import print_json, write_out
    from frasier.kernel.text import strip_control
    from frasier.org.planning import add_standing_directive, confirm_directives

    async def act(_services: Services, tx: Tx) -> dict[str, Any]:
        directive = await add_standing_directive(tx, text)
        lines = await confirm_directives(tx, [directive])
        left_out = {rule["directive"] for rule in await _read_directives(tx) if not rule["in_prompts"]}
        return _as_dict(directive, in_prompts=directive.id not in left_out) | {"done": " ".join(lines)}

    document = in_transaction(context, act)
    if as_json:
        print_json(document)
    else:
        write_out(strip_control(document["done"]) + "\n")


@directives.command()
def withdraw(
    context: typer.Context,
    directive: Annotated[str, typer.Argument(help="A rule's id, its beginning or end.")],
    as_json: JsonOption = False,
) -> None:
    """Withdraw a standing rule. It is in no prompt that is made from now on; its text is kept."""
    from frasier.interfaces.cli.present import print_json, write_out
    from frasier.kernel.text import strip_control
    from frasier.org.planning import withdraw_standing_directive

    async def act(_services: Services, tx: Tx) -> dict[str, Any]:
        withdrawn = await withdraw_standing_directive(tx, directive)
        done = f"Withdrawn: “{_one_line(withdrawn.content)}”. Runs that began before finish with it."
        return _as_dict(withdrawn, in_prompts=False) | {"done": done}

    document = in_transaction(context, act)
    if as_json:
        print_json(document)
    else:
        write_out(strip_control(document["done"]) + "\n")


async def count_directives(tx: Tx) -> dict[str, Any]:
    """Count the standing rules in force; list those that find no room in prompts."""
    rules = await _read_directives(tx)
    return {"in_force": len(rules), "left_out": [rule for rule in rules if not rule["in_prompts"]]}


def left_out_line(rule: dict[str, Any]) -> str:
    """Name a standing rule that found no room, in one line."""
    from frasier.interfaces.cli.present import short

    where = f"the prompts of {', '.join(rule['tasks'])}" if "tasks" in rule else "prompts"
    text = _one_line(rule["text"])
    return f"Standing rule {short(rule['directive'])} is left out of {where} for want of room: “{text}”"


def add_left_out_rules(page: Page, rules: Sequence[dict[str, Any]]) -> None:
    if not rules:
        return
    page.heading("Standing rules left out")
    for rule in rules:
        page.line((left_out_line(rule), "yellow"))


async def _read_directives(tx: Tx) -> list[dict[str, Any]]:
    from frasier.memory import fit_directives, list_directives

    left_out = {directive.id for directive in (await fit_directives(tx)).left_out}
    return [
        _as_dict(directive, in_prompts=directive.id not in left_out)
        for directive in await list_directives(tx)
    ]


def _as_dict(directive: Memory, *, in_prompts: bool) -> dict[str, Any]:
    return {
        "directive": directive.id,
        "text": directive.content,
        "recorded_at": directive.created_at,
        "in_prompts": in_prompts,
    }


def _draw_directives(rules: list[dict[str, Any]]) -> Page:
    from frasier.interfaces.cli.present import Column, Page, ago, short

    page = Page()
    if not rules:
        page.line('There is no standing rule. `frasier directives add "…"` records one.')
    page.table(
        [Column("rule", fixed=True), "text", Column("recorded", fixed=True)],
        [
            (short(rule["directive"]), _one_line(rule["text"]), (ago(rule["recorded_at"]), "dim"))
            for rule in rules
        ],
    )
    for rule in rules:
        if not rule["in_prompts"]:
            page.line((left_out_line(rule), "yellow"))
    return page


def _one_line(text: str) -> str:
    from frasier.kernel.text import shorten

    return shorten(" ".join(text.split()), _SHOWN_CHARS)
