"""`frasier agents upskill` and `frasier agents trial`: new versions of personas, and how they prove themselves."""

from __future__ import annotations

from typing import Annotated

import typer

from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.output import Column, Page, ago, fixed, show_view
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.with_services import JsonOption, LimitOption
from frasier.interfaces.operations.organisation.upskilling import (
    TRIALS,
    UPSKILL,
    AgentUpskillOutput,
    TrialListOutput,
)
from frasier.kernel.humanize import dollars
from frasier.overview import TrialPage


@operation_command(UPSKILL, boards=True, summary=True)
def upskill(_page: Page, _data: AgentUpskillOutput) -> None:
    """Have a new version of a persona or a skill written. It comes into force only if a trial shows that it helps."""


def trial(
    context: typer.Context,
    which: Annotated[
        str,
        typer.Argument(
            metavar="AGENT|SKILL|TRIAL", help="An agent, a skill, or the id of a trial; all without."
        ),
    ] = "",
    limit: LimitOption = 20,
    as_json: JsonOption = False,
) -> None:
    """Show trials of new personas and skills: what each is expected to change, its price, its pairs, and its report."""
    view = ask_organisation(context, TRIALS, {"which": which, "limit": limit})
    show_view(view, _draw, as_json=as_json)


def _draw(page: Page, view: TrialListOutput) -> None:
    if not view.trials:
        page.line("There was no trial yet.")
    for one in view.trials:
        _draw_trial(page, one, with_pairs=len(view.trials) == 1)
    page.more(len(view.trials), more=view.more)


def _draw_trial(page: Page, trial: TrialPage, *, with_pairs: bool) -> None:
    versions = f"version {trial.before} → {trial.after}" if trial.after else f"version {trial.before}"
    about = f"{trial.skill.replace('_', ' ')} ({trial.name})" if trial.skill else trial.name
    page.heading(f"{about}, {versions}: {trial.state.replace('_', ' ')}")
    page.line((f"{str(trial.trial)[-8:]}  ·  begun {ago(trial.since)} because {trial.why}", "dim"))
    if trial.hypothesis:
        page.line(f"Hypothesis: {trial.hypothesis}")
    if trial.after:
        page.line(
            f"{trial.compared} of at most {trial.max_pairs} pairs are compared,"
            f" mean difference {trial.mean:+.2f}{_interval(trial)};"
            f" {dollars(trial.spent_usd)} spent, about {dollars(trial.pair_usd)} a pair, cap {dollars(trial.cap_usd)}."
        )
    if trial.report:
        page.prose(trial.report)
    if trial.following:
        page.prose(f"Real work since then: {trial.following.newest}; before: {trial.following.before}.")
    if with_pairs and trial.pairs:
        number = ("before", "after", "difference")
        page.table(
            [
                fixed("pair"),
                "task",
                fixed("work"),
                *(Column(name, fixed=True, right=True) for name in number),
                "judge",
            ],
            [
                (
                    str(pair.number),
                    pair.title,
                    pair.source,
                    _score(pair.before),
                    _score(pair.after),
                    "" if pair.difference is None else f"{pair.difference:+.2f}",
                    f"{pair.judge}: {pair.note}" if pair.judge else pair.note or pair.state,
                )
                for pair in trial.pairs
            ],
        )


def _interval(trial: TrialPage) -> str:
    return "" if trial.low is None else f" (95 % interval {trial.low:+.2f} to {trial.high:+.2f})"


def _score(score: float | None) -> str:
    return "" if score is None else f"{score:.2f}"
