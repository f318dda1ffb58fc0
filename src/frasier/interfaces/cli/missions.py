"""`frasier missions`: requests, their progress, and their results."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.directives import add_left_out_rules
from frasier.interfaces.cli.hires import add_hire
from frasier.interfaces.cli.open_deliverable import open_
from frasier.interfaces.cli.output import (
    Cell,
    Column,
    Page,
    ago,
    clock,
    fixed,
    mark,
    short,
    show_view,
    time_taken,
    usd,
)
from frasier.interfaces.cli.read_deliverable import read
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.share_links import share, shares, unshare
from frasier.interfaces.cli.waiting import add_questions, mission_marks, trouble_text
from frasier.interfaces.cli.with_services import (
    JsonOption,
    LimitOption,
    MissionArgument,
    command_group,
)

if TYPE_CHECKING:
    from frasier.interfaces.operations.organisation.missions import MissionListOutput
    from frasier.overview import (
        MissionPage,
        ReviewResult,
        StepProgress,
    )

_STATE_CHARS_MAX = 40

missions = command_group("Missions: what was asked, how far it is, what came of it.")


@missions.command("list")
def list_(
    context: typer.Context,
    limit: LimitOption = 20,
    status: Annotated[
        list[str] | None, typer.Option("--status", help="Only those with this status; repeatable.")
    ] = None,
    before: Annotated[
        str | None, typer.Option("--before", metavar="ID", help="Only those older than this mission.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the newest missions."""
    from frasier.interfaces.operations.organisation.missions import LIST

    arguments = {"limit": limit, "status": status, "before": before}
    show_view(ask_organisation(context, LIST, arguments), _draw_missions, as_json=as_json)


@missions.command()
def show(context: typer.Context, mission: MissionArgument = "last", as_json: JsonOption = False) -> None:
    """Show a mission. Its graph of steps, reviews, plan, spend, and where its folder is."""
    from frasier.interfaces.operations.organisation.mission_page import GET

    view = ask_organisation(context, GET, {"mission": mission}).mission
    show_view(view, _draw_mission, _document, as_json=as_json)


missions.command("read")(read)
missions.command("share")(share)
missions.command("shares")(shares)
missions.command("unshare")(unshare)
missions.command("open")(open_)


def _draw_missions(page: Page, view: MissionListOutput) -> None:
    if not view.total:
        page.line('No mission yet. `frasier run "…" --sources DIR` starts one.')
    page.table(
        [
            "",
            fixed("mission"),
            fixed("status"),
            "title",
            fixed("kind"),
            Column("cost", right=True, fixed=True),
            fixed("begun"),
        ],
        [
            (
                *mission_marks(row),
                row.title,
                row.kind.words if row.kind else "",
                "rehearsal" if row.rehearsal else usd(row.cost_usd),
                (ago(row.created_at), "dim"),
            )
            for row in view.missions
        ],
    )
    if view.next:
        page.line((f"{len(view.missions):,} of {view.total:,}; older ones with --before {view.next}", "dim"))


def _document(view: MissionPage) -> dict[str, Any]:
    """Return what `frasier run --json` prints, and the other facts about the mission."""
    from frasier.interfaces.cli.document import document_of
    from frasier.interfaces.cli.run_result import as_dict

    rest = document_of(view)
    del rest["progress"]
    steps = view.progress.steps
    document: dict[str, Any] = as_dict(view.progress) | rest
    for row, step in zip(document["steps"], steps, strict=True):
        row["level"], row["phase"] = step.level, step.phase
        row["needs"].sort(key=[step.key for step in steps].index)
    return document


def _draw_mission(page: Page, view: MissionPage) -> None:
    from frasier.interfaces.cli.plan_page import calls_in_words

    progress = view.progress
    status = progress.status
    page.line((progress.title, "bold"), "  ", mark(status, f"{mark(status)[0]} {status}"))
    facts = [
        f"mission {short(progress.mission_id)}",
        *([progress.kind.words] if progress.kind else []),
        f"begun {clock(view.created_at)}",
        time_taken(progress.seconds),
    ]
    page.line(("  ·  ".join([*facts, _spend(view), calls_in_words(progress)]), "dim"))
    if progress.rehearsal:
        page.line(("rehearsal: no model was asked", "yellow"))
    page.heading("Directive")
    page.prose(view.directive)
    _add_plans(page, view)
    page.heading("Steps")
    _add_steps(page, progress.steps, progress.trouble or "")
    if view.hires:
        page.heading("Hires")
    for hire in view.hires:
        page.line((hire.name, "cyan"), f", {hire.title}", (f"  {hire.key}", "dim"))
        add_hire(page, hire)
    for trouble in progress.model_troubles:
        page.line((f"▲ {trouble_text(trouble)}", "yellow"))
    add_left_out_rules(page, view.rules_left_out)
    if view.questions:
        page.heading("Waiting for you")
        add_questions(page, view.questions)
    if progress.trouble:
        page.heading("Failure")
        page.prose(progress.trouble)
    if progress.left_out:
        page.heading("Left out")
        page.prose("\n".join(progress.left_out))
    if progress.unsettled:
        page.heading("Not settled")
        page.prose("\n".join(progress.unsettled))
    page.heading("Result")
    if progress.ending:
        page.line(progress.ending.sentence)
    if progress.degraded:
        page.line((progress.degraded, "yellow"))
    if progress.change:
        page.line(progress.change)
    page.line(*_result(view))
    page.line((f"`frasier steps show {short(progress.mission_id)}/KEY` shows one step.", "dim"))


def _spend(view: MissionPage) -> str:
    of_budget = f" of {usd(view.budget_usd)}" if view.budget_usd is not None else ""
    flight = f" (+ {usd(view.reserved_usd)} in flight)" if view.reserved_usd else ""
    return usd(view.progress.cost_usd) + of_budget + flight


def _add_plans(page: Page, view: MissionPage) -> None:
    from frasier.interfaces.cli.plan_page import add_plan

    plan = view.progress.plan
    others = [version for version in view.plans if plan is None or version.version != plan.version]
    if not (plan or others):
        return
    page.heading("Plan")
    for version in others:
        reason = f": {' '.join(version.issues)}" if version.issues else ""
        page.line(("✗", "red"), f" version {version.version} was {version.state}{reason}")
    if plan and others and not plan.waits:
        page.line(("✓", "green"), f" version {plan.version} was accepted")
    if plan:
        add_plan(page, plan)


def _add_steps(page: Page, steps: Sequence[StepProgress], trouble: str) -> None:
    """Add the graph of the steps as a table; below it what would make its columns narrow: reviews and causes."""
    order = [step.key for step in steps]
    page.table(
        ["", fixed("key"), "step", fixed("by"), "state", fixed(""), "needs"],
        [
            (
                mark(step.status),
                step.key,
                f"{'  ' * (step.level - 1)}└ {step.title}" if step.level else step.title,
                (step.agent, "cyan"),
                mark(step.status, _state(step) + (", degraded" if step.degraded else "")),
                f"v{step.version}" if step.version else "",
                (", ".join(sorted(step.needs, key=order.index)), "dim"),
            )
            for step in steps
        ],
    )
    for step in steps:
        if step.phase != _state(step) and step.phase and step.phase not in trouble:
            page.line(f"{step.key}: {step.phase}")
        for version, reviews in itertools.groupby(step.reviews, key=lambda review: review.version):
            page.line(f"{step.key} v{version}: {', '.join(_review(review) for review in reviews)}")
        if step.review_note:
            page.line((f"{step.key}: {step.review_note}", "dim"))


def _state(step: StepProgress) -> str:
    is_short = 0 < len(step.phase) <= _STATE_CHARS_MAX
    return step.phase if is_short else step.status.replace("_", " ")


def _review(review: ReviewResult) -> str:
    by = review.by if review.kind == review.by else f"{review.kind} by {review.by}"
    score = f" {review.overall:.1f}" if review.overall is not None else ""
    return f"{mark(review.verdict)[0]} {by}{score}"


def _result(view: MissionPage) -> tuple[Cell, ...]:
    from frasier.interfaces.cli.run_result import deliverable_of

    progress = view.progress
    if progress.path:
        return (("✓ ", "green"), deliverable_of(progress.path))
    if progress.status == "completed" and progress.trouble:
        again = f"frasier resume {short(progress.mission_id)}"
        return (("approved and stored, but not written: ", "yellow"), f"`{again}` writes the folder at once")
    if progress.status == "completed":
        return ("approved and stored; its folder is being written to ", view.destination)
    if progress.status in {"failed", "cancelled"}:
        return (("none; every version of every step is kept", "dim"),)
    return (("none yet; it will be put into ", "dim"), view.destination)
