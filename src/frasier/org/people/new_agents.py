"""New agents: a free name from the pool, a key, and a first persona, in one transaction."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import count
from uuid import UUID

from frasier.kernel.ids import new_id
from frasier.org.people.agents import get_agent, roster
from frasier.org.people.personas import insert_persona
from frasier.org.people.types import Agent, AgentKind, AgentStatus, Persona, Role
from frasier.store import Statements, Tx

_sql = Statements("frasier.org.people")
_NOT_IN_KEY = re.compile(r"[^a-z0-9]+")


@cache
def name_pool() -> tuple[str, ...]:
    """Return the names for new agents, in the order in which they are given."""
    table = tomllib.loads(files("frasier.org.people").joinpath("names.toml").read_text("utf-8"))
    return tuple(table["names"])


async def lock_hiring(tx: Tx) -> None:
    """Let no other transaction hire until this one ends, so that a name and a trade are given once."""
    await _sql.run(tx, "lock_hiring")


async def insert_new_agent(
    tx: Tx,
    *,
    role: Role,
    title: str,
    team: str,
    status: AgentStatus,
    persona: Persona,
    why: str,
    is_test: bool = False,
) -> Agent:
    """Store an agent with a free name and the first version of its persona. Requires that hiring is locked."""
    everybody = await roster(tx, active_only=False)
    taken = {agent.name.casefold() for agent in everybody if agent.status is not AgentStatus.RETIRED}
    keys = {agent.key for agent in everybody}
    name = next(name for name in _names() if name.casefold() not in taken)
    key = next(key for key in _keys(name) if key not in keys)
    agent_id = new_id()
    await _sql.run(
        tx,
        "insert_new_agent",
        id=agent_id,
        key=key,
        name=name,
        role=role,
        title=title,
        team=team,
        kind=AgentKind.QA if role is Role.QA else AgentKind.SUB_AGENT,
        status=status,
        is_test=is_test,
    )
    await insert_persona(tx, agent_id, 1, persona, why)
    return await get_agent(tx, agent_id)


def _names() -> Iterator[str]:
    """Yield the names of the pool, then the same with a number: nobody is turned away for want of a name."""
    yield from name_pool()
    for number in count(2):
        yield from (f"{name} {number}" for name in name_pool())


def _keys(name: str) -> Iterator[str]:
    """Yield keys for a name; those of agents who retired stay theirs."""
    base = _NOT_IN_KEY.sub("-", name.casefold()).strip("-")
    yield base
    yield from (f"{base}-{number}" for number in count(2))


async def set_agent_status(tx: Tx, agent_id: UUID, status: AgentStatus) -> None:
    """Store the status of an agent."""
    await _sql.run(tx, "set_agent_status", id=agent_id, status=status)
