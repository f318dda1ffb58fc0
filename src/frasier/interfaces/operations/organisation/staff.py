"""Hire agents, let them rest, wake and retire them, and the same for teams."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    NoInput,
    OperationContext,
    Output,
    Result,
    StorableInput,
)
from frasier.interfaces.operations.organisation.people import AgentInput
from frasier.interfaces.operations.organisation.services import declare_founders, services_of
from frasier.kernel.humanize import plural
from frasier.org.execution import StaffChange, hire_by_founder, rest_agent, retire_agent, set_team, wake_agent
from frasier.org.people import Role, TeamStatus
from frasier.overview import TeamSummary, read_team, read_teams
from frasier.store import Tx

RoleName = Literal["strategy", "research", "content", "engineering", "qa", "growth", "knowledge"]


class StaffOutput(Output):
    """An agent after a change. `steps` and `reviews` are those of theirs that others have got."""

    agent: str
    name: str
    title: str
    role: str
    status: str
    steps: int
    reviews: int
    done: str


class AgentHireInput(StorableInput):
    """The colleague who is wanted."""

    title: Annotated[str, CliOption(argument="TITLE")] = Field(
        max_length=200, description='The title of the trade, such as "Tax advisor for German SMEs"'
    )
    role: RoleName = Field("research", description="The kind of work that is nearest to it")
    reason: str = Field(
        "", max_length=1_000, description="What they are needed for; it goes into their persona"
    )
    for_tests: bool = Field(
        False, description="Make a test identity, which is given no work and never reviews"
    )


async def _hire(context: OperationContext, request: AgentHireInput) -> Result[StaffOutput]:
    change = await services_of(context).in_transaction(
        hire_by_founder, request.title, Role(request.role), reason=request.reason, is_test=request.for_tests
    )
    agent = change.agent
    if agent.is_test:
        done = f"{agent.name}, {agent.title}, is a test identity: it is given no work and never reviews."
    elif change.is_new:
        done = f"{agent.name} is hired as {agent.title}. Their persona is researched before their first work."
    else:
        done = f"{agent.name}, {agent.title}, has that trade already and is {agent.status}."
    return _result(change, done)


async def _rest(context: OperationContext, request: AgentInput) -> Result[StaffOutput]:
    return await _change(context, rest_agent, request, "gets no work until they are woken")


async def _wake(context: OperationContext, request: AgentInput) -> Result[StaffOutput]:
    return await _change(context, wake_agent, request, "gets work again")


async def _retire(context: OperationContext, request: AgentInput) -> Result[StaffOutput]:
    return await _change(context, retire_agent, request, "has retired; what they did is kept")


async def _change(
    context: OperationContext,
    change: Callable[[Tx, str], Awaitable[StaffChange]],
    request: AgentInput,
    what: str,
) -> Result[StaffOutput]:
    changed = await services_of(context).in_transaction(change, request.agent)
    return _result(changed, f"{changed.agent.name} {what}.{_handed_over(changed)}")


def _handed_over(change: StaffChange) -> str:
    if not change.steps and not change.reviews:
        return ""
    return (
        f" Others have got {plural(change.steps, 'step')} and {plural(change.reviews, 'review')} of theirs."
    )


def _result(change: StaffChange, sentence: str) -> Result[StaffOutput]:
    agent = change.agent
    data = StaffOutput(
        agent=agent.key,
        name=agent.name,
        title=agent.title,
        role=agent.role,
        status=agent.status,
        steps=change.steps,
        reviews=change.reviews,
        done=sentence,
    )
    return Result(summary=sentence, data=data)


class TeamListOutput(Output):
    """The teams with their members."""

    teams: tuple[TeamSummary, ...]


async def _teams(context: OperationContext, _request: NoInput) -> Result[TeamListOutput]:
    teams = await services_of(context).in_transaction(read_teams)
    return Result(summary=f"{plural(len(teams), 'team')}.", data=TeamListOutput(teams=teams))


class TeamInput(StorableInput):
    """The name of a team."""

    team: Annotated[str, CliOption(argument="TEAM")] = Field(
        max_length=100, description="A team's id or name"
    )


class TeamOutput(Output):
    """A team with its members."""

    team: TeamSummary


async def _team(context: OperationContext, request: TeamInput) -> Result[TeamOutput]:
    team = await services_of(context).in_transaction(read_team, request.team)
    return Result(summary=f"{team.name}: {plural(len(team.members), 'member')}.", data=TeamOutput(team=team))


async def _activate(context: OperationContext, request: TeamInput) -> Result[TeamOutput]:
    return await _set_team(context, request, TeamStatus.ACTIVE)


async def _rest_team(context: OperationContext, request: TeamInput) -> Result[TeamOutput]:
    return await _set_team(context, request, TeamStatus.DORMANT)


async def _set_team(context: OperationContext, request: TeamInput, status: TeamStatus) -> Result[TeamOutput]:
    services = services_of(context)
    changed = await services.in_transaction(set_team, request.team, status)
    team = await services.in_transaction(read_team, request.team)
    return Result(
        summary=f"The team {team.name} is {team.status}; {plural(len(changed), 'agent')} of it changed.",
        data=TeamOutput(team=team),
    )


HIRE = declare_founders(
    _hire,
    name="agent_hire",
    title="Hire a colleague",
    layer=Layer.SURGICAL,
    about="Hire an agent with the title of a trade; whoever has been hired for it already is returned.",
    idempotent=True,
)
REST = declare_founders(
    _rest,
    name="agent_rest",
    title="Let an agent rest",
    layer=Layer.SURGICAL,
    about="Give an agent no work until it is woken; others get what it has not ended.",
)
WAKE = declare_founders(
    _wake,
    name="agent_wake",
    title="Wake an agent",
    layer=Layer.SURGICAL,
    about="Give work to a dormant agent again.",
)
RETIRE = declare_founders(
    _retire,
    name="agent_retire",
    title="Retire an agent",
    layer=Layer.SURGICAL,
    about="Retire an agent for good; others get what it has not ended, and what it did is kept.",
    destructive=True,
)
TEAMS = declare_founders(
    _teams,
    name="team_list",
    title="List teams",
    layer=Layer.DISCOVERY,
    about="The teams with their leads and members.",
    read_only=True,
)
TEAM = declare_founders(
    _team,
    name="team_get",
    title="Show a team",
    layer=Layer.DETAIL,
    about="One team with its members and their state.",
    read_only=True,
)
ACTIVATE = declare_founders(
    _activate,
    name="team_activate",
    title="Activate a team",
    layer=Layer.SURGICAL,
    about="Make a team active and wake its dormant agents.",
    idempotent=True,
)
REST_TEAM = declare_founders(
    _rest_team,
    name="team_rest",
    title="Let a team rest",
    layer=Layer.SURGICAL,
    about="Make a team and its agents dormant; others get what they have not ended.",
    idempotent=True,
)
