"""Reading who is here."""

from __future__ import annotations

from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.errors import NotFound
from frasier.org.people.types import Agent, AgentKind, AgentStatus, Role, Team, TeamStatus
from frasier.store import Statements, Tx

_sql = Statements("frasier.org.people")


async def roster(tx: Tx, *, active_only: bool = True) -> list[Agent]:
    """The agents: the chief of staff first, then team by team, each with its lead first."""
    return [_agent(row) for row in await _sql.all(tx, "roster", active_only=active_only)]


async def get_agent(tx: Tx, agent_id: UUID) -> Agent:
    """The agent with this id, whatever their status; NotFound where there is none."""
    row = await _sql.maybe(tx, "agent_by_id", id=agent_id)
    if row is None:
        raise NotFound(f"There is no agent {agent_id}.")
    return _agent(row)


async def agent_by_key(tx: Tx, key: str) -> Agent:
    """The agent with this key, whatever their status; NotFound where there is none."""
    row = await _sql.maybe(tx, "agent_by_key", key=key)
    if row is None:
        raise NotFound(f"No agent has the key {key!r}.")
    return _agent(row)


async def chief_of_staff(tx: Tx) -> Agent:
    """The chief of staff; NotFound as long as the organisation is not founded."""
    row = await _sql.maybe(tx, "chief_of_staff")
    if row is None:
        raise NotFound("There is no chief of staff.", hint="Found the organisation first.")
    return _agent(row)


async def teams(tx: Tx) -> list[Team]:
    """Every team, by id."""
    return [Team(**{**row, "status": TeamStatus(row["status"])}) for row in await _sql.all(tx, "teams")]


def _agent(row: DictRow) -> Agent:
    typed = {
        "role": Role(row["role"]),
        "kind": AgentKind(row["kind"]),
        "status": AgentStatus(row["status"]),
    }
    return Agent(**{**row, **typed})
