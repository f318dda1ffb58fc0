"""Queries for agents."""

from __future__ import annotations

from uuid import UUID

from frasier.kernel.errors import NotFound
from frasier.org.people.types import Agent
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.org.people")


async def roster(tx: Tx, *, active_only: bool = True) -> list[Agent]:
    """Return the agents: the chief of staff first, then team by team, each with its lead first."""
    return [from_row(Agent, row) for row in await _sql.all(tx, "roster", active_only=active_only)]


async def get_agent(tx: Tx, agent_id: UUID) -> Agent:
    """Return the agent with this id, of any status; raise NotFound if there is none."""
    row = await _sql.maybe(tx, "agent_by_id", id=agent_id)
    if row is None:
        raise NotFound(f"There is no agent {agent_id}.")
    return from_row(Agent, row)


async def chief_of_staff(tx: Tx) -> Agent:
    """Return the chief of staff; raise NotFound before the organisation is founded."""
    row = await _sql.maybe(tx, "chief_of_staff")
    if row is None:
        raise NotFound("There is no chief of staff.", hint="Found the organisation first.")
    return from_row(Agent, row)
