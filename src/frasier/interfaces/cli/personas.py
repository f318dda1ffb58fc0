"""`frasier agents persona`: the versions of an agent's persona, what differs, and the way back."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.agents import AgentArgument
from frasier.interfaces.cli.output import Page, ago, fixed, show_view
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.with_services import JsonOption
from frasier.kernel.errors import InvalidInput

if TYPE_CHECKING:
    from frasier.interfaces.operations.organisation.personas import PersonaRollbackOutput
    from frasier.overview import PersonaDifference, PersonaHistory, PersonaVersionView

_PARTS = ("identity", "soul", "method", "standards")


class PersonaAction(StrEnum):
    """The acts on the personas of an agent."""

    SHOW = "show"
    DIFF = "diff"
    HISTORY = "history"
    ROLLBACK = "rollback"


def persona(
    context: typer.Context,
    name: AgentArgument,
    action: Annotated[PersonaAction, typer.Argument(help="What to do.")] = PersonaAction.SHOW,
    before: Annotated[int | None, typer.Option("--from", min=1, help="diff: the version before.")] = None,
    version: Annotated[
        int | None,
        typer.Option("--to", min=1, help="The version that is shown, compared, or put in force again."),
    ] = None,
    why: Annotated[str, typer.Option("--why", help="rollback: the reason, which is kept.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Show an agent's persona, compare its versions, list its history, or put an earlier one in force again."""
    if action is PersonaAction.DIFF:
        _diff(context, {"agent": name, "old": before, "new": version}, as_json=as_json)
    elif action is PersonaAction.ROLLBACK:
        _rollback(context, {"agent": name, "version": version, "why": why}, as_json=as_json)
    elif action is PersonaAction.HISTORY:
        _history(context, name, as_json=as_json)
    else:
        _show(context, name, version, as_json=as_json)


def _show(context: typer.Context, name: str, version: int | None, *, as_json: bool) -> None:
    history = _read(context, name)
    wanted = version or history.in_force
    shown = next((one for one in history.versions if one.text.version == wanted), None)
    if shown is None:
        known = ", ".join(str(one.text.version) for one in reversed(history.versions))
        raise InvalidInput(f"There is no version {wanted} of this persona.", hint=f"There are: {known}.")
    show_view(shown, _draw_version, as_json=as_json)


def _history(context: typer.Context, name: str, *, as_json: bool) -> None:
    show_view(_read(context, name), _draw_history, as_json=as_json)


def _read(context: typer.Context, name: str) -> PersonaHistory:
    from frasier.interfaces.operations.organisation.personas import HISTORY

    return ask_organisation(context, HISTORY, {"agent": name}).history


def _diff(context: typer.Context, arguments: dict[str, Any], *, as_json: bool) -> None:
    from frasier.interfaces.operations.organisation.personas import DIFF

    view = ask_organisation(context, DIFF, arguments).difference
    show_view(view, _draw_difference, as_json=as_json)


def _rollback(context: typer.Context, arguments: dict[str, Any], *, as_json: bool) -> None:
    from frasier.interfaces.operations.organisation.personas import ROLLBACK

    view = ask_organisation(context, ROLLBACK, arguments)
    show_view(view, _draw_rollback, as_json=as_json)


def _draw_version(page: Page, version: PersonaVersionView) -> None:
    state = "in force" if version.in_force else "not in force"
    page.line((f"Version {version.text.version}", "bold"), f", {state}")
    page.line((f"written by {version.by} {ago(version.text.written_at)}: {version.text.why}", "dim"))
    if version.hypothesis:
        page.line((f"hypothesis: {version.hypothesis}", "dim"))
    for part in _PARTS:
        page.heading(part.capitalize())
        page.prose(getattr(version.text, part))
    if version.text.sources:
        page.heading("Sources of the craft")
        for source in version.text.sources:
            page.line(source)


def _draw_history(page: Page, history: PersonaHistory) -> None:
    page.line((history.name, "bold"), f", {history.title}: version {history.in_force} is in force")
    page.heading("Versions")
    page.table(
        [fixed("version"), fixed("written"), fixed("by"), "why", "hypothesis"],
        [
            (
                (str(one.text.version), "cyan" if one.in_force else ""),
                ago(one.text.written_at),
                one.by,
                one.text.why,
                one.hypothesis,
            )
            for one in history.versions
        ],
    )
    page.heading("History")
    page.table(
        [fixed("version"), fixed("act"), fixed("from"), fixed("to"), fixed("by"), "why", fixed("trial")],
        [
            (
                str(one.version),
                one.act,
                ago(one.at),
                ago(one.until) if one.until else "",
                one.by,
                one.why,
                str(one.trial)[-8:] if one.trial else "",
            )
            for one in history.acts
        ],
    )


def _draw_difference(page: Page, view: PersonaDifference) -> None:
    page.line((f"Version {view.before} → {view.after}", "bold"))
    for one in view.parts:
        page.heading(one.part.capitalize())
        for text in one.removed:
            page.line(("- ", "red"), text)
        for text in one.added:
            page.line(("+ ", "green"), text)
    if not view.parts:
        page.line("They are alike.")


def _draw_rollback(page: Page, view: PersonaRollbackOutput) -> None:
    page.line(f"Version {view.version} is in force again; version {view.before} is kept.")
