"""`frasier directives`: list, add and withdraw the founder's standing rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.output import Page, ago, fixed, short, show_done, show_view
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.with_services import JsonOption, command_group
from frasier.kernel.text import shorten

if TYPE_CHECKING:
    from uuid import UUID

    from frasier.interfaces.operations.organisation.directives import DirectiveOutput
    from frasier.overview import StandingRule
    from frasier.work import OmittedRule

directives = command_group("Standing rules: what holds for all work.")

_SHOWN_CHARS = 200


@directives.command("list")
def list_(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the standing rules in force. Those that find no room in prompts are marked."""
    from frasier.interfaces.operations.organisation.directives import LIST

    rules = ask_organisation(context, LIST, {}).directives
    show_view(rules, _draw_directives, lambda rules: {"directives": rules}, as_json=as_json)


@directives.command()
def add(
    context: typer.Context,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help='The rule, such as "Always state prices in EUR net."')
    ],
    as_json: JsonOption = False,
) -> None:
    """Record a standing rule. It is in the prompts of all work from now on."""
    from frasier.interfaces.operations.organisation.directives import ADD_RULE

    _show_rule(ask_organisation(context, ADD_RULE, {"text": text}), as_json=as_json)


@directives.command()
def withdraw(
    context: typer.Context,
    directive: Annotated[str, typer.Argument(metavar="DIRECTIVE", help="A rule's id, its beginning or end.")],
    as_json: JsonOption = False,
) -> None:
    """Withdraw a standing rule. It is in no prompt that is made from now on; its text is kept."""
    from frasier.interfaces.operations.organisation.directives import WITHDRAW_RULE

    _show_rule(ask_organisation(context, WITHDRAW_RULE, {"directive": directive}), as_json=as_json)


def left_out_line(directive: UUID, text: str, tasks: Sequence[str] = ()) -> str:
    """Name in one line a standing rule that does not fit into prompts, or into those of some tasks."""
    where = f"the prompts of {', '.join(tasks)}" if tasks else "prompts"
    return f"Standing rule {short(directive)} is left out of {where} for want of room: “{_one_line(text)}”"


def add_left_out_rules(page: Page, rules: Sequence[OmittedRule]) -> None:
    if not rules:
        return
    page.heading("Standing rules left out")
    for rule in rules:
        page.line((left_out_line(rule.directive, rule.text, rule.tasks), "yellow"))


def _show_rule(rule: DirectiveOutput, *, as_json: bool) -> None:
    show_done(rule.done, dict(rule), as_json=as_json)


def _draw_directives(page: Page, rules: Sequence[StandingRule]) -> None:
    if not rules:
        page.line('There is no standing rule. `frasier directives add "…"` records one.')
    page.table(
        [fixed("rule"), "text", fixed("recorded")],
        [(short(rule.directive), _one_line(rule.text), (ago(rule.recorded_at), "dim")) for rule in rules],
    )
    for rule in rules:
        if not rule.in_prompts:
            page.line((left_out_line(rule.directive, rule.text), "yellow"))


def _one_line(text: str) -> str:
    return shorten(" ".join(text.split()), _SHOWN_CHARS)
