"""`frasier proposals`: improvements that are proposed from post-mortems, and the founder's decisions about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.output import Column, Page, ago, fixed, mark, short, show_view
from frasier.interfaces.cli.run_operation import call_organisation
from frasier.interfaces.cli.with_services import JsonOption, with_services
from frasier.interfaces.operations.organisation.improvements import (
    ACCEPT,
    GET,
    LIST,
    REFUSE,
    RUN,
    ProposalListOutput,
    ProposalOutput,
)

if TYPE_CHECKING:
    from frasier.interfaces.services import Services
    from frasier.overview import ImprovementSummary, ReadingState

_EVERY_S = 0.2


def run(context: typer.Context, as_json: JsonOption = False) -> None:
    """Have a colleague read the newest post-mortems and propose improvements; show what is proposed."""

    async def work(services: Services) -> int:
        from frasier.interfaces.cli.shutdown_signals import pause, stop_on_signals
        from frasier.overview import read_reading

        stop = stop_on_signals()
        services.check_settings()
        call = await call_organisation(services)
        task = (await call(RUN, {})).data.reading.task
        # This process carries out the reading only, and must not leave paid work of others half done.
        async with services.running(only="improvement"):
            while (await services.in_transaction(read_reading, task)).goes_on:
                if await pause(stop, _EVERY_S):
                    return 130
        reading = await services.in_transaction(read_reading, task)
        show_view(reading, _draw_reading, as_json=as_json)
        return 0

    raise typer.Exit(with_services(context, work, any_actor=True))


@operation_command(LIST, boards=True)
def list_(page: Page, data: ProposalListOutput) -> None:
    """List the newest proposals with what was decided."""
    _draw_list(page, data.proposals)


@operation_command(GET, boards=True)
def show(page: Page, data: ProposalOutput) -> None:
    """Show a proposal: the change, the figures behind it, its log, and what was measured afterwards."""
    _draw(page, data)


@operation_command(ACCEPT, boards=True)
def accept(page: Page, data: ProposalOutput) -> None:
    """Accept a proposal. A policy has its next version, a persona is revised and tried."""
    _draw(page, data)


@operation_command(REFUSE, boards=True)
def refuse(page: Page, data: ProposalOutput) -> None:
    """Refuse a proposal. It is kept with the reason."""
    _draw(page, data)


def _draw_reading(page: Page, reading: ReadingState) -> None:
    page.line((f"{reading.note}  ·  {reading.state}", "bold"))
    _draw_list(page, reading.proposals)


def _draw_list(page: Page, proposals: tuple[ImprovementSummary, ...]) -> None:
    if not proposals:
        page.line(
            "No improvement is proposed. `frasier proposals run` has somebody read the newest post-mortems."
        )
    page.table(
        [fixed("id"), fixed(""), fixed("changes"), "proposal", fixed("when")],
        [
            (
                short(one.proposal),
                mark({"proposed": "pending", "accepted": "approved", "refused": "rejected"}[one.state]),
                f"{one.kind} {one.target}",
                one.title + (f" ({one.reason})" if one.reason else ""),
                (ago(one.created_at), "dim"),
            )
            for one in proposals
        ],
    )


def _draw(page: Page, data: ProposalOutput) -> None:
    view = data.proposal
    one = view.summary
    page.line((one.title, "bold"))
    page.line((f"{one.kind} {one.target}  ·  {one.state}  ·  {ago(one.created_at)}", "dim"))
    page.prose(view.change)
    for name, value in view.rules.items():
        page.line(f"{name} = {value}")
    page.heading("Why")
    page.prose(view.why)
    page.table(
        ["figure", Column("value", right=True), "mission"],
        [(row.name, f"{row.value:g}", f"{row.mission_title} ({short(row.mission)})") for row in view.figures],
    )
    if view.effect:
        page.heading("Effect")
        page.prose(view.effect)
    if view.measured:
        page.heading("Measured afterwards")
        page.table(
            ["figure", Column("before", right=True), Column("after", right=True), "n"],
            [
                (
                    row.name,
                    f"{row.before:g}",
                    "–" if row.after is None else f"{row.after:g}",
                    f"{row.n_before} and {row.n_after}",
                )
                for row in view.measured
            ],
        )
    page.heading("Log")
    for act in view.log:
        page.line((f"{ago(act.at)}  ", "dim"), f"{act.act}: {act.text}")
