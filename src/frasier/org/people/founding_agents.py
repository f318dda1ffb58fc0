"""The founding organisation: seven agents in two teams, declared in `founding.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from uuid import UUID, uuid5

from frasier.org.people.agents import roster
from frasier.org.people.personas import insert_persona
from frasier.org.people.types import Agent, AgentKind, Persona, Role
from frasier.store import Statements, Tx, append_event, parameters_of

_sql = Statements("frasier.org.people")

# Founding agents have the same ids everywhere, so that two processes that found at once create the same agents.
_NAMESPACE = UUID("ed34b906-935c-4c0c-ac50-cf5301b43f50")
_WHY = "as founded"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundingAgent:
    key: str
    name: str
    role: Role
    title: str
    team: str | None
    kind: AgentKind
    persona: Persona

    @property
    def id(self) -> UUID:
        return uuid5(_NAMESPACE, self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundingTeam:
    """A founding team. `lead` is the key of a founding agent."""

    id: str
    name: str
    description: str
    lead: str


@cache
def declared() -> tuple[tuple[FoundingTeam, ...], tuple[FoundingAgent, ...]]:
    """Return the teams and agents that `founding.toml` declares, read once."""
    table = tomllib.loads(files("frasier.org.people").joinpath("founding.toml").read_text("utf-8"))
    agents = tuple(
        FoundingAgent(
            key=row["key"],
            name=row["name"],
            role=Role(row["role"]),
            title=row["title"],
            team=row.get("team"),
            kind=AgentKind(row["kind"]),
            persona=_persona(row["persona"]),
        )
        for row in table["agents"]
    )
    return tuple(FoundingTeam(**row) for row in table["teams"]), agents


def _persona(parts: dict[str, str]) -> Persona:
    identity, soul, method, standards = (
        " ".join(parts[part].split()) for part in ("identity", "soul", "method", "standards")
    )
    return Persona(identity=identity, soul=soul, method=method, standards=standards)


async def found_organisation(tx: Tx) -> list[Agent]:
    """Create the missing parts of the founding organisation; return its seven agents as they are now.

    Any number of processes may call this at once, and at every start: existing agents are never changed, whatever
    their status, level or persona.
    """
    agents = declared()[1]
    stored = await _stored(tx)
    if any(agent.id not in stored for agent in agents):
        await _found(tx)
        stored = await _stored(tx)
    return [stored[agent.id] for agent in agents]


async def _stored(tx: Tx) -> dict[UUID, Agent]:
    return {agent.id: agent for agent in await roster(tx, active_only=False)}


async def _found(tx: Tx) -> None:
    await _sql.run(tx, "wait_for_other_founders")
    founding_teams, founding_agents = declared()
    ids = {agent.key: agent.id for agent in founding_agents}
    for team in founding_teams:
        await _sql.run(
            tx, "insert_team", id=team.id, name=team.name, description=team.description, lead=ids[team.lead]
        )
    for agent in founding_agents:
        await _insert_if_missing(tx, agent)


async def _insert_if_missing(tx: Tx, agent: FoundingAgent) -> None:
    made = await _sql.run(tx, "insert_agent", id=agent.id, **parameters_of(agent))
    if not made:
        return
    await insert_persona(tx, agent.id, 1, agent.persona, _WHY)
    await append_event(
        tx,
        stream=agent.id,
        kind="agent.founded",
        actor="system:frasier",
        payload={"key": agent.key, "name": agent.name, "role": agent.role, "team": agent.team},
    )


def founding_persona(role: Role) -> Persona:
    """Return the persona of the founding agent of a role; the chief of staff's where there is no other."""
    agents = sorted(declared()[1], key=lambda agent: agent.kind is AgentKind.CHIEF_OF_STAFF)
    return next(agent.persona for agent in agents if agent.role is role)


def founding_team(role: Role) -> str:
    """Return the team in which the founding organisation does work of a role."""
    teams = {agent.role: agent.team for agent in declared()[1] if agent.team}
    return teams.get(role) or next(iter(teams.values()))
