"""`frasier skills`: the methods of skills and their versions."""

from __future__ import annotations

from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.output import Column, Page, ago, fixed, short
from frasier.interfaces.operations.organisation.skills import (
    DIFF,
    GET,
    HISTORY,
    LIST,
    ROLLBACK,
    SkillDiffOutput,
    SkillHistoryOutput,
    SkillListOutput,
    SkillOutput,
)
from frasier.kernel.humanize import person
from frasier.overview import SkillText

_COLOURS = {"+": "green", "-": "red", "@": "dim"}


@operation_command(LIST, boards=True)
def list_(page: Page, data: SkillListOutput) -> None:
    """List the skills with the short text of the method in force."""
    page.table(
        [
            fixed("skill"),
            fixed("version"),
            Column("agents", fixed=True, right=True),
            Column("accepted", fixed=True, right=True),
            "method",
        ],
        [
            (one.skill, f"{one.version} ({one.origin})", str(one.agents), str(one.accepted_works), one.short)
            for one in data.skills
        ],
    )


@operation_command(GET, boards=True)
def show(page: Page, data: SkillOutput) -> None:
    """Show a skill: its method, who wrote it, who has it, and the runs that were given it."""
    _draw(page, data)


@operation_command(HISTORY, boards=True)
def history(page: Page, data: SkillHistoryOutput) -> None:
    """Show the versions of a skill: who wrote each, when, why and from what."""
    page.table(
        [fixed("version"), fixed("in force"), fixed("by"), "from", "why", fixed("added")],
        [
            (
                str(one.version),
                "yes" if one.in_force else "",
                person(one.actor),
                _source(one),
                one.why,
                ago(one.added_at),
            )
            for one in data.versions
        ],
    )


@operation_command(DIFF, boards=True, summary=True)
def diff(page: Page, data: SkillDiffOutput) -> None:
    """Compare two versions of a skill, by default the newest with the one before it."""
    for line in data.diff.lines:
        page.line((line, _COLOURS.get(line[:1], "")))


@operation_command(ROLLBACK, boards=True, summary=True)
def rollback(page: Page, data: SkillOutput) -> None:
    """Put an earlier version of a skill in force again. No version is lost."""
    _draw(page, data)


def _draw(page: Page, data: SkillOutput) -> None:
    text = data.skill.text
    page.line((text.skill, "bold"), f", version {text.version}{', in force' if text.in_force else ''}")
    page.line((f"{_source(text)}, by {person(text.actor)} {ago(text.added_at)}: {text.why}", "dim"))
    page.heading("In the prompts of whoever has it")
    page.prose(text.short)
    page.heading("For a step that needs it")
    page.prose(text.long)
    page.heading("Who has it")
    page.table(
        [fixed("name"), Column("level", fixed=True, right=True), Column("accepted works", right=True)],
        [(one.name, str(one.level), str(one.accepted_works)) for one in data.skill.holders],
    )
    page.heading("Runs that were given this version")
    page.table(
        [fixed("task"), fixed("run"), fixed("agent"), fixed("text"), fixed("when")],
        [
            (short(one.task), str(one.attempt), one.agent, "long" if one.in_full else "short", ago(one.at))
            for one in data.skill.uses
        ],
    )


def _source(text: SkillText) -> str:
    return f"{text.origin.replace('_', ' ')}: {text.source}"
