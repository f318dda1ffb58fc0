"""Queries for agents, events about them, and their look-up by key, name or id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import id_part, is_part_of, parse_id
from frasier.org.people.types import Agent, AgentStatus
from frasier.store import Statements, Tx, append_event, from_row

_sql = Statements("frasier.org.people")


async def roster(tx: Tx, *, active_only: bool = True) -> list[Agent]:
    """Return the agents: the chief of staff first, then team by team, each with its lead first.

    With `active_only`, those who are given work: no test identities.
    """
    return await _sql.all_as(Agent, tx, "roster", active_only=active_only)


async def get_agent(tx: Tx, agent_id: UUID) -> Agent:
    """Return the agent with this id, of any status; raise NotFound if there is none."""
    row = await _sql.maybe(tx, "agent_by_id", id=agent_id)
    if row is None:
        raise NotFound(f"There is no agent {agent_id}.")
    return from_row(Agent, row)


async def append_agent_event(tx: Tx, agent: Agent, kind: str, *, actor: str, **details: Any) -> None:
    """Append an event about an agent, which names the agent beside its details."""
    payload = {"key": agent.key, "name": agent.name, "title": agent.title, **details}
    await append_event(tx, stream=agent.id, kind=kind, actor=actor, payload=payload)


async def chief_of_staff(tx: Tx) -> Agent:
    """Return the chief of staff; raise NotFound before the organisation is founded."""
    row = await _sql.maybe(tx, "chief_of_staff")
    if row is None:
        raise NotFound("There is no chief of staff.", hint="Found the organisation first.")
    return from_row(Agent, row)


async def find_agent(tx: Tx, text: str) -> Agent:
    """Find an agent by key or id, else by name (in any case), a unique beginning, or the end of an id.

    A key is of one agent for good, whoever bears the name now. Otherwise retired agents are found too, but never in
    place of a current one. Raises NotFound if nobody matches, and
    InvalidInput if several do.
    """
    agents = await roster(tx, active_only=False)
    name = text.strip().casefold()
    identity, part = parse_id(name), id_part(name)
    rules: list[Callable[[Agent], bool]] = [
        lambda agent: agent.key == text.strip() or agent.id == identity,
        lambda agent: agent.key == name or agent.name.casefold() == name,
        lambda agent: agent.key.startswith(name) or agent.name.casefold().startswith(name),
        lambda agent: part is not None and is_part_of(part, agent.id),
    ]
    for rule in rules if name else ():
        fitting = [agent for agent in agents if rule(agent)]
        here = [agent for agent in fitting if agent.status is not AgentStatus.RETIRED]
        candidates = here or fitting
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            keys = ", ".join(sorted(agent.key for agent in candidates))
            raise InvalidInput(f"{text!r} fits {len(candidates)} agents.", hint=f"Use a key: {keys}.")
    known = ", ".join(agent.name for agent in agents if agent.status is not AgentStatus.RETIRED)
    raise NotFound(f"No agent is called {text!r}.", hint=f"Known agents: {known or 'nobody yet'}.")
