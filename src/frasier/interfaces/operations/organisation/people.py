"""Read the agents of the organisation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    OperationContext,
    Output,
    Result,
    StorableInput,
)
from frasier.interfaces.operations.organisation.services import declare_founders, services_of
from frasier.kernel.humanize import plural
from frasier.overview import AgentPage, AgentSummary, read_agent, read_agents


class AgentListInput(StorableInput):
    """The agents that are wanted."""

    everyone: Annotated[bool, CliOption(flags=("--all",))] = Field(
        False, description="Also those who are dormant or retired"
    )


class AgentListOutput(Output):
    """The agents, team by team."""

    agents: tuple[AgentSummary, ...]


async def _list(context: OperationContext, request: AgentListInput) -> Result[AgentListOutput]:
    agents = await services_of(context).in_transaction(read_agents, active_only=not request.everyone)
    return Result(summary=f"{plural(len(agents), 'agent')}.", data=AgentListOutput(agents=agents))


class AgentInput(StorableInput):
    """The name of an agent."""

    agent: Annotated[str, CliOption(argument="NAME")] = Field(
        max_length=200, description="A name or key, or an unambiguous beginning of it"
    )


class AgentOutput(Output):
    """An agent with its persona, skills, recent work and lessons."""

    agent: AgentPage


async def _get(context: OperationContext, request: AgentInput) -> Result[AgentOutput]:
    services = services_of(context)
    agent = await services.in_transaction(read_agent, request.agent, capabilities=services.capabilities)
    return Result(summary=f"{agent.name}, {agent.title}.", data=AgentOutput(agent=agent))


LIST = declare_founders(
    _list,
    name="agent_list",
    title="List agents",
    layer=Layer.DISCOVERY,
    about="Who works in the organisation: role, team, open tasks and skills.",
    read_only=True,
)
GET = declare_founders(
    _get,
    name="agent_get",
    title="Show an agent",
    layer=Layer.DETAIL,
    about="One agent: what its role may do, persona, skills, recent work and lessons.",
    read_only=True,
)
