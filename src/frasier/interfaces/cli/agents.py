"""`frasier agents`: the agents, their state, and what they have learned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.hires import add_hire
from frasier.interfaces.cli.output import Column, Page, ago, fixed, mark, short, show_view
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.with_services import JsonOption
from frasier.kernel.humanize import plural
from frasier.kernel.text import shorten

if TYPE_CHECKING:
    from frasier.overview import AgentPage, AgentSummary, GivenReview, ReviewAgreement

AgentArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="An agent's name or key, or an unambiguous beginning of it.")
]
_SKILLS_LISTED = 3
_WORK_CHARS = 160


def list_(
    context: typer.Context,
    everyone: Annotated[bool, typer.Option("--all", help="Also those who are dormant or retired.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List the agents, team by team."""
    from frasier.interfaces.operations.organisation.people import LIST

    view = ask_organisation(context, LIST, {"everyone": everyone}).agents
    show_view(view, _draw_agents, lambda view: {"agents": view}, as_json=as_json)


def show(context: typer.Context, name: AgentArgument, as_json: JsonOption = False) -> None:
    """Show an agent. Persona, skills, recent work and lessons."""
    from frasier.interfaces.operations.organisation.people import GET

    view = ask_organisation(context, GET, {"agent": name}).agent
    show_view(view, _draw_agent, as_json=as_json)


def _draw_agents(page: Page, agents: Sequence[AgentSummary]) -> None:
    page.table(
        [
            fixed("name"),
            "title",
            fixed("role"),
            "team",
            Column("open", fixed=True, right=True),
            "best skills",
        ],
        [
            (
                (row.name, "cyan" if row.status == "active" else "dim"),
                row.title + ("" if row.status == "active" else f" ({row.status})"),
                row.role,
                row.team or "",
                str(row.open_tasks) if row.open_tasks else "",
                ", ".join(f"{s.skill.replace('_', ' ')} {s.level}" for s in row.skills[:_SKILLS_LISTED]),
            )
            for row in agents
        ],
        wide=True,
    )


def _trend(view: AgentPage) -> str:
    trend = view.score_trend
    falling = " They are falling." if trend.falling else ""
    return f"Mean score of its newest versions: {trend.newest}; of those before: {trend.before}.{falling}"


def _agreement(reviews: ReviewAgreement) -> str:
    if not reviews.given:
        return "none yet"
    if reviews.agreement is None:
        return f"{plural(reviews.given, 'review')}, none judged since"
    return (
        f"{plural(reviews.given, 'review')}; later judgements agree with {reviews.agreed} of n = {reviews.marked}"
        f" ({reviews.agreement:.0%})"
    )


def _draw_agent(page: Page, view: AgentPage) -> None:
    page.line((view.name, "bold"), f", {view.title}")
    facts = [view.key, view.role, view.team or "above the teams", view.status]
    page.line(("  ·  ".join(facts), "dim"))
    page.heading("Capabilities")
    page.prose(", ".join(one.replace("_", " ") for one in view.capabilities) or "none")
    if view.hire:
        page.heading("Hire")
        add_hire(page, view.hire)
    persona = view.persona
    page.heading(f"Persona (version {persona.version})")
    for part in ("identity", "soul", "method", "standards"):
        page.line((part, "dim"))
        page.prose(getattr(persona, part))
    if persona.sources:
        page.line(("sources", "dim"))
    for source in persona.sources:
        page.line(f"· {source}")
    for version in view.personas:
        page.line(f"version {version.version}: {version.why}", (f"  {ago(version.written_at)}", "dim"))
    page.heading("Skills")
    page.table(
        [fixed("skill"), Column("level", fixed=True, right=True), Column("accepted works", right=True)],
        [(one.skill, str(one.level), str(one.uses)) for one in view.skills],
    )
    if view.skills:
        page.line((f"`frasier skills show {view.skills[0].skill}` prints the method of one.", "dim"))
    else:
        page.prose("none yet")
    _add_reviews(page, "Reviews of its work", view.reviews_received)
    _add_reviews(page, "Reviews that it gave", view.reviews_given)
    page.prose(_trend(view))
    page.prose(_agreement(view.review_agreement))
    page.heading("Recent work")
    for memory in view.recent_work:
        page.line(f"{memory.title}  ", (ago(memory.at), "dim"))
        page.prose(shorten(" ".join(memory.text.split()), _WORK_CHARS))
    if not view.recent_work:
        page.prose("none yet")
    page.heading("Lessons")
    for memory in view.lessons:
        page.line(memory.text, (f"  {ago(memory.at)}", "dim"))
    if not view.lessons:
        page.prose("none yet")
    page.heading("Colleagues")
    for one in view.colleagues:
        score = "" if one.mean_score is None else f", {one.reviews} reviewed with {one.mean_score:.1f}"
        page.line(f"{one.name}  {one.affinity:+.2f}", (f"  {one.missions} missions together{score}", "dim"))
    if not view.colleagues:
        page.prose("worked with nobody yet")


def _add_reviews(page: Page, heading: str, reviews: Sequence[GivenReview]) -> None:
    page.heading(heading)
    if not reviews:
        page.prose("none yet")
        return
    page.table(
        [
            fixed(""),
            "step",
            "mission",
            fixed("by"),
            fixed("of"),
            Column("score", fixed=True, right=True),
            fixed("when"),
        ],
        [
            (
                mark(one.state),
                one.title,
                (f"{one.mission_title} ({short(one.mission)})", "dim"),
                one.reviewer or one.kind,
                one.author,
                f"{one.overall:.1f}" if one.overall is not None else "",
                (ago(one.reviewed_at), "dim"),
            )
            for one in reviews
        ],
    )
