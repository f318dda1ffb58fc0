"""`frasier agents hire`, `dormant`, `wake` and `retire`, and `frasier teams`: changes of the staff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.output import Page, fixed
from frasier.interfaces.operations.organisation.staff import (
    ACTIVATE,
    HIRE,
    REST,
    REST_TEAM,
    RETIRE,
    TEAM,
    TEAMS,
    WAKE,
    StaffOutput,
    TeamListOutput,
    TeamOutput,
)

if TYPE_CHECKING:
    from frasier.overview import TeamSummary


@operation_command(HIRE, boards=True, summary=True)
def hire(_page: Page, _data: StaffOutput) -> None:
    """Hire a colleague by the title of a trade. Their persona is researched before their first work."""


@operation_command(REST, boards=True, summary=True)
def dormant(_page: Page, _data: StaffOutput) -> None:
    """Give an agent no work until it is woken. Others get what it has not ended."""


@operation_command(WAKE, boards=True, summary=True)
def wake(_page: Page, _data: StaffOutput) -> None:
    """Give work to a dormant agent again."""


@operation_command(RETIRE, boards=True, summary=True)
def retire(_page: Page, _data: StaffOutput) -> None:
    """Retire an agent for good. Others get what it has not ended; what it did is kept."""


@operation_command(TEAMS, boards=True)
def list_teams(page: Page, data: TeamListOutput) -> None:
    """List the teams with their leads and members."""
    _draw(page, data.teams)


@operation_command(TEAM, boards=True)
def show_team(page: Page, data: TeamOutput) -> None:
    """Show a team with its members."""
    page.line((data.team.name, "bold"), f", {data.team.status}")
    page.line(data.team.description)
    page.table(
        [fixed("name"), "title", fixed("state")],
        [(one.name, one.title, one.status) for one in data.team.members],
    )


@operation_command(ACTIVATE, boards=True, summary=True)
def activate(page: Page, data: TeamOutput) -> None:
    """Make a team active and wake its dormant agents."""
    _draw(page, [data.team])


@operation_command(REST_TEAM, boards=True, summary=True)
def rest_team(page: Page, data: TeamOutput) -> None:
    """Make a team and its agents dormant. Others get what they have not ended."""
    _draw(page, [data.team])


def _draw(page: Page, teams: Sequence[TeamSummary]) -> None:
    page.table(
        [fixed("team"), "name", fixed("state"), fixed("lead"), "members"],
        [
            (one.team, one.name, one.status, one.lead, ", ".join(member.name for member in one.members))
            for one in teams
        ],
    )
