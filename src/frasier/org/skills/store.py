"""Stored skills: seeded once, grown by use from level to level, never set back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.org.people import Agent, get_agent
from frasier.org.skills.catalog import skill_set, skills_in
from frasier.store import Statements, Tx, append_event

# The lifetime uses that earn each level: level 1 first, level 10 last.
THRESHOLDS = (0, 5, 12, 22, 35, 52, 73, 100, 135, 180)
LEVEL_MAX = len(THRESHOLDS)

_sql = Statements("frasier.org.skills")


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A skill of an agent: `level` 1 to 10, lifetime `uses`, `last_used` None before the first."""

    name: str
    level: int
    uses: int
    last_used: datetime | None


async def skills_of(tx: Tx, agent_id: UUID) -> list[Skill]:
    """Return the skills of an agent, the best first."""
    return [Skill(**row) for row in await _sql.all(tx, "skills_of", agent_id=agent_id)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillHolding:
    """An agent who has a skill, with its level and the accepted works that used it."""

    agent_id: UUID
    level: int
    uses: int


async def holders_of(tx: Tx, skill: str) -> list[SkillHolding]:
    """Return who has a skill, the best first."""
    return await _sql.all_as(SkillHolding, tx, "skill_holders", skill=skill)


async def count_holders(tx: Tx) -> dict[str, tuple[int, int]]:
    """Count the agents who have each skill, and their accepted works with it."""
    return {row["skill"]: (row["agents"], row["uses"]) for row in await _sql.all(tx, "count_holders")}


async def seed_founding_skills(tx: Tx, agents: Iterable[Agent]) -> None:
    """Seed the skills of many stored agents at once, each with those of their own role."""
    await _insert_missing(tx, [(agent.id, skill) for agent in agents for skill in skill_set(agent.role)])


async def seed_skills(tx: Tx, agent: Agent) -> None:
    """Give a new agent the skills that its title, or else its role, names."""
    named = skill_set(agent.title)
    await _insert_missing(
        tx, [(agent.id, skill) for skill in (named if len(named) > 1 else skill_set(agent.role))]
    )


async def give_skill_to(tx: Tx, skill: str, agents: Iterable[UUID]) -> None:
    """Give a skill to some agents; who has it keeps the level."""
    await _insert_missing(tx, [(agent_id, skill) for agent_id in agents])


async def record_use(tx: Tx, agent_id: UUID, text: str) -> list[Skill]:
    """Count one use of every skill that the work described by `text` needs; return those skills.

    A skill outside the agent's own set is added at level 1, so that agents train across trades. Each level gained
    is an event of the agent. Raises NotFound where there is no such agent.
    """
    agent = await get_agent(tx, agent_id)
    names = skills_in(text)
    if not names:
        return []
    await _insert_missing(tx, [(agent.id, name) for name in names])
    before = await _sql.all(tx, "lock_skills", agent_id=agent.id, skills=names)
    grown = [grow(row["level"], row["uses"]) for row in before]
    await _sql.run(
        tx,
        "store_growth",
        agent_id=agent.id,
        skills=[row["skill"] for row in before],
        levels=[level for level, _ in grown],
        uses=[uses for _, uses in grown],
    )
    for row, (level, uses) in zip(before, grown, strict=True):
        if level > row["level"]:
            await append_event(
                tx,
                stream=agent.id,
                kind="skill.level_up",
                actor="system:frasier",
                payload={"skill": row["skill"], "level": level, "uses": uses},
            )
    return [skill for skill in await skills_of(tx, agent.id) if skill.name in names]


async def _insert_missing(tx: Tx, pairs: Sequence[tuple[UUID, str]]) -> None:
    await _sql.run(
        tx,
        "insert_missing",
        agent_ids=[agent_id for agent_id, _ in pairs],
        skills=[skill for _, skill in pairs],
    )


def grow(level: int, uses: int) -> tuple[int, int]:
    """Return the level and uses after one more use.

    A skill below the level that its uses earn climbs one level a use, and one above it keeps its level: growth never
    takes anything away.
    """
    used = uses + 1
    climbs = level < LEVEL_MAX and used >= THRESHOLDS[level]
    return (level + 1 if climbs else level), used
