"""A step as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frasier.interfaces.cli.directives import add_left_out_rules
from frasier.interfaces.cli.output import Column, Page, ago, mark, short, usd
from frasier.kernel.humanize import plural
from frasier.kernel.text import shorten

if TYPE_CHECKING:
    from frasier.overview import StepPage, StepVersion


def draw_step(page: Page, view: StepPage) -> None:
    status = view.status
    sign = mark(status, f"{mark(status)[0]} {status.replace('_', ' ')}")
    page.line((view.title, "bold"), "  ", sign)
    facts = [
        f"step {short(view.step)} ({view.key}) of {view.mission_title}",
        f"{view.agent}, {view.role}",
        view.tier,
    ]
    if view.is_final:
        facts.append("final step")
    if view.needs:
        facts.append(f"needs {', '.join(view.needs)}")
    page.line(("  ·  ".join(facts), "dim"))
    page.heading("Instruction")
    page.prose(view.instruction)
    page.heading("Accepted when")
    page.prose("\n".join(f"- {line}" for line in view.acceptance))
    _add_form(page, view)
    _add_state(page, view)
    add_left_out_rules(page, view.rules_left_out)
    for version in view.versions:
        _add_version(page, version)
    _add_calls(page, view)
    if view.versions:
        newest = view.versions[-1].version
        page.line((f"`frasier steps show {short(view.step)} --version {newest}` prints its text.", "dim"))


def _add_form(page: Page, view: StepPage) -> None:
    lines = {
        "Reader": view.reader,
        "Length": f"about {view.words:,} words" if view.words else "",
        "Format": view.format,
        "Language": view.language,
    }
    if stated := [f"{name}: {text}" for name, text in lines.items() if text]:
        page.heading("Form of the result")
        page.prose("\n".join(stated))


def _add_state(page: Page, view: StepPage) -> None:
    if view.phases:
        page.heading("Phases")
        page.prose(" → ".join(view.phases))
    if view.markers:
        page.heading("What the memory holds of it")
        for marker in view.markers:
            page.line((f"{ago(marker.at)}  ", "dim"), marker.text)
    _add_skills(page, view)
    if view.failure:
        page.heading("Failure")
        page.prose(view.failure)
    if view.block:
        page.heading("Blocked")
        for reason in view.block.reasons:
            page.line(
                ("■ ", "bold magenta"), f"{reason['reason']} — {reason['owner']} must {reason['action']}"
            )


def _add_skills(page: Page, view: StepPage) -> None:
    if not view.skills:
        return
    page.heading("Skills in its prompts")
    for run in sorted({(one.attempt, one.agent) for one in view.skills}):
        attempt, agent = run
        names = ", ".join(
            f"{one.skill} {one.version}{' in full' if one.in_full else ''}"
            for one in view.skills
            if (one.attempt, one.agent) == run
        )
        page.line((f"run {attempt}, {agent}  ", "dim"), names)


def _add_version(page: Page, version: StepVersion) -> None:
    page.heading(f"Version {version.version}")
    facts = [
        ago(version.created_at),
        f"{version.chars:,} characters",
        f"own score {version.critique_mean:.2f}" if version.critique_mean is not None else "no critique",
        version.model,
    ]
    page.line(("  ·  ".join(facts), "dim"))
    page.line(version.verification.headline)
    for statement in version.verification.statements:
        if statement.verdict == "doubtful":
            page.line(("doubtful: ", "yellow"), shorten(statement.text, 200))
            page.prose("; ".join(statement.findings))
    if version.degraded:
        page.line(
            (
                f"degraded: {version.tier_served} in place of {version.tier_asked}, or fewer means",
                "yellow",
            )
        )
    if version.unknown_citations:
        numbers = ", ".join(f"[{number}]" for number in version.unknown_citations)
        page.line((f"cites {numbers}, which are no sources of this mission", "red"))
    if version.handover:
        page.line(("Handed over with it:", "bold"))
        page.prose("\n".join(f"- {note}" for note in version.handover))
    for review in version.reviews:
        score = f" {review.overall:.1f}" if review.overall is not None else ""
        by = review.by if review.kind == review.by else f"{review.kind} by {review.by}"
        page.line(mark(review.verdict), f" {by}: ", mark(review.verdict, review.verdict), score)
        if review.degraded:
            page.line(("degraded: given by a lower tier than was asked for", "yellow"))
        if review.choice:
            page.line((f"chosen: {review.choice}", "dim"))
        if review.feedback:
            page.prose(review.feedback)
        for passage in review.passages:
            page.prose(f"“{passage['quotation']}” — {passage['remark']}")
        if review.invented:
            dropped = plural(review.invented, "quotation")
            page.line((f"dropped: {dropped}, not in the version", "yellow"))
        if review.changes:
            page.prose(f"Since the version before: {review.changes}")


def _add_calls(page: Page, view: StepPage) -> None:
    if not view.calls:
        return
    page.heading(f"Calls: {len(view.calls)} for {usd(view.cost_usd)}")
    numbers = [Column(title, fixed=True, right=True) for title in ("in", "out", "ms", "cost")]
    page.table(
        ["phase", "tier", "model", "state", *numbers],
        [
            (
                call.phase or call.purpose,
                call.tier_served + (" (degraded)" if call.degraded else ""),
                call.model,
                call.state + (f": {call.error}" if call.error else ""),
                f"{call.tokens_in:,}",
                f"{call.tokens_out:,}",
                "" if call.duration_ms is None else f"{call.duration_ms:,}",
                usd(call.cost_usd),
            )
            for call in view.calls
        ],
    )
