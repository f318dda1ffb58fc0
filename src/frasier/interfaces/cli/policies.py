"""`frasier policy`: the founder's policies, their rules and their versions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.output import Page, ago, fixed, show_view
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.with_services import JsonOption, LimitOption, command_group
from frasier.kernel.errors import InvalidInput

if TYPE_CHECKING:
    from frasier.interfaces.operations.organisation.policies import PolicyHistoryOutput, PolicyOutput

policy = command_group("Policies: what the organisation may do without asking.")

SubjectArgument = Annotated[
    str, typer.Argument(metavar="SUBJECT", help="What the policy is about, such as hiring.")
]


@policy.command("list")
def list_(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the policies in force with their rules."""
    from frasier.interfaces.operations.organisation.policies import POLICIES

    view = ask_organisation(context, POLICIES, {}).policies
    show_view(view, _draw_all, lambda view: {"policies": view}, as_json=as_json)


@policy.command()
def show(context: typer.Context, subject: SubjectArgument, as_json: JsonOption = False) -> None:
    """Show a policy: each rule with its value, and what it means."""
    from frasier.interfaces.operations.organisation.policies import POLICY

    view = ask_organisation(context, POLICY, {"subject": subject})
    show_view(view, _draw, as_json=as_json)


@policy.command("set")
def set_(
    context: typer.Context,
    subject: SubjectArgument,
    rules: Annotated[
        list[str], typer.Argument(metavar="RULE=VALUE...", help="Such as per_month=5; the others stay.")
    ],
    why: Annotated[str, typer.Option("--why", help="The reason, which is kept.")] = "",
    version: Annotated[
        int | None, typer.Option("--if-version", min=0, help="Change it only if this version is in force.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Change rules of a policy. The version before it is kept."""
    from frasier.interfaces.operations.organisation.policies import POLICY_SET

    arguments = {
        "subject": subject,
        "rules": dict(map(_rule, rules)),
        "why": why,
        "version": version,
    }
    show_view(ask_organisation(context, POLICY_SET, arguments), _draw, as_json=as_json)


@policy.command()
def history(
    context: typer.Context, subject: SubjectArgument, limit: LimitOption = 20, as_json: JsonOption = False
) -> None:
    """Show the versions of a policy: who changed what, when and why."""
    from frasier.interfaces.operations.organisation.policies import POLICY_HISTORY

    view = ask_organisation(context, POLICY_HISTORY, {"subject": subject, "limit": limit})
    show_view(view, _draw_history, as_json=as_json)


def _rule(text: str) -> tuple[str, object]:
    name, separator, value = text.partition("=")
    if not separator:
        raise InvalidInput(
            f"{text!r} is not RULE=VALUE.", kept="Nothing was changed.", hint="Such as per_month=5."
        )
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value


def _draw_all(page: Page, policies: Sequence[PolicyOutput]) -> None:
    for one in policies:
        _draw(page, one)


def _draw(page: Page, view: PolicyOutput) -> None:
    from frasier.interfaces.operations.organisation.policies import in_words

    page.heading(view.subject)
    page.line(view.about)
    page.table(
        [fixed("rule"), fixed("value"), "meaning"],
        [
            (
                rule.name,
                (in_words(rule.value), "cyan" if rule.value != rule.default else ""),
                (rule.about, "dim"),
            )
            for rule in view.rules
        ],
    )
    page.line((_origin(view), "dim"))


def _draw_history(page: Page, view: PolicyHistoryOutput) -> None:
    before = [*view.versions[1:], None]
    page.table(
        [fixed("version"), "changed", "why", fixed("by"), fixed("set")],
        [
            (
                str(one.version),
                ", ".join(one.changes_since(former)) if former else "",
                one.why,
                one.actor,
                ago(one.set_at) if one.set_at else "",
            )
            for one, former in zip(view.versions, before, strict=True)
        ],
    )
    page.more(len(view.versions), more=view.more)


def _origin(view: PolicyOutput) -> str:
    if view.set_at is None:
        return "These are the defaults."
    because = f": {view.why}" if view.why else ""
    return f"Version {view.version}, set by {view.actor} {ago(view.set_at)}{because}"
