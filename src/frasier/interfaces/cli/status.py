"""`frasier status`: the state of everything on one screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from frasier.interfaces.cli.directives import left_out_line
from frasier.interfaces.cli.output import Page, ago, fixed, show_view, usd
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.waiting import (
    add_blocks,
    add_decisions,
    add_files,
    add_interrupted,
    add_questions,
    add_troubles,
    mission_marks,
    trouble_text,
)
from frasier.interfaces.cli.with_services import JsonOption
from frasier.kernel.humanize import person, plural

if TYPE_CHECKING:
    from frasier.interfaces.operations.organisation.status import OrganisationStatusOutput
    from frasier.overview import Spend

_LATEST = 5


def status(context: typer.Context, as_json: JsonOption = False) -> None:
    """Show how everything stands. Missions, tasks, what waits for you, what is spent, who works."""
    from frasier.interfaces.cli.document import document_of_waiting
    from frasier.interfaces.operations.organisation.status import GET

    show_view(ask_organisation(context, GET, {}), _draw_status, document_of_waiting, as_json=as_json)


def _draw_status(page: Page, view: OrganisationStatusOutput) -> None:
    means = means_line(rehearsal=view.rehearsal, models=view.models, web_search=view.web_search)
    page.line(f"{means}; {view.database} database")
    _add_troubles(page, view)
    counted = (*asdict(view.tasks).values(), *asdict(view.board_tasks).values())
    if not (view.latest or view.decisions or any(counted)):
        _add_waiting(page, view)
        _welcome(page, rehearsal=view.rehearsal)
        return
    page.heading("Now")
    page.facts(
        ("missions", _counts(view.missions) or "none"),
        ("open steps", _counts(asdict(view.tasks)) or "none"),
        ("tasks on boards", _counts(asdict(view.board_tasks)) or "none"),
        ("spent", _spent(view.spend)),
        ("at work", _at_work(view)),
        ("waiting", _waiting_counts(view)),
    )
    _add_waiting(page, view)
    if view.latest:
        page.heading("Latest missions")
    page.table(
        ["", fixed("mission"), fixed("status"), "title", fixed("begun")],
        [
            (
                *mission_marks(mission),
                mission.title,
                (ago(mission.created_at), "dim"),
            )
            for mission in view.latest
        ],
    )


def _add_waiting(page: Page, view: OrganisationStatusOutput) -> None:
    waiting = (
        view.waiting_for_founder,
        view.decisions,
        view.files,
        view.unread_files,
        view.blocked_for_founder,
    )
    if any(waiting):
        page.heading("Waiting for your decision")
        add_questions(page, view.waiting_for_founder)
        add_decisions(page, view.decisions)
        add_files(page, view)
        add_blocks(page, view.blocked_for_founder)
    if view.interrupted:
        page.heading("Waiting for a worker")
        add_interrupted(page, view.interrupted)
    add_troubles(page, view.effects, of=view.effects_in_trouble)


def _add_troubles(page: Page, view: OrganisationStatusOutput) -> None:
    for outage in view.outages:
        began = ago(outage.began_at)
        page.line((f"Out of order: {outage.what}, which began {began}: {outage.why}", "yellow"))
    for trouble in view.model_troubles:
        page.line((trouble_text(trouble), "yellow"), (f"  {ago(trouble.since)}", "dim"))
    for rule in view.standing_rules.left_out:
        page.line((left_out_line(rule.directive, rule.text), "yellow"))


def means_line(*, rehearsal: bool, models: Mapping[Any, str], web_search: bool) -> str:
    """Name the models and tools that the organisation works with in one line."""
    named = ", ".join(f"{tier} {name}" for tier, name in models.items())
    model = "rehearsal (no model is configured)" if rehearsal else named
    return f"{model}; {'web search' if web_search else 'no web search'}"


def _counts(counts: Mapping[Any, int]) -> str:
    return ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in counts.items() if number)


def _spent(spend: Mapping[str, Spend]) -> str:
    parts = []
    for scope, name in (("day", "today"), ("month", "this month")):
        use = spend[scope]
        flight = f" (+ {usd(use.reserved_usd)} in flight)" if use.reserved_usd else ""
        warning = " ▲ nearly used up" if use.nearly_used_up else ""
        parts.append(f"{usd(use.spent_usd)} of {usd(use.cap_usd)} {name}{flight}{warning}")
    return ", ".join(parts)


def _waiting_counts(view: OrganisationStatusOutput) -> str:
    """Say how much waits for the founder, and how much for somebody who moves it."""
    counts = view.waits_for
    parts = []
    if counts.decision:
        parts.append(f"{counts.decision} for your decision")
    if counts.worker:
        alone = "" if counts.attended else ", and nobody is at work"
        parts.append(f"{plural(counts.worker, 'task')} for a worker{alone}")
    if counts.member:
        parts.append(f"{plural(counts.member, 'task')} on boards for whoever moves them")
    return "; ".join(parts)


def _at_work(view: OrganisationStatusOutput) -> str:
    parts = [f"{person(worker.name)} ({plural(worker.tasks, 'task')})" for worker in view.workers]
    if not parts and view.waits_for.attended:
        parts.append("a worker without a task")
    if view.heartbeat:
        parts.append("heartbeat")
    return ", ".join(parts) or "nobody: `frasier up` starts a worker"


def _welcome(page: Page, *, rehearsal: bool) -> None:
    page.heading("Nothing has been asked of the organisation yet")
    page.line("Give it a directive and something to work from:")
    page.prose('frasier run "Compare the offers in these views and recommend one" --sources DIR')
    page.line("`frasier agents list` shows who works here, `frasier doctor` whether everything is in order.")
    if rehearsal:
        page.line(
            "No model is configured, so a deterministic stand-in rehearses the work; set OPENROUTER_API_KEY, or "
            "FRASIER_LLM__BASE_URL for a model of your own, to have it done."
        )
