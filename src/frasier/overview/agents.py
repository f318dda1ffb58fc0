"""Agents: who works here, what each can do, and what they have done and learned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.copy_fields import copy_fields
from frasier.memory import Memory, MemoryKind, recent_of_agent
from frasier.org.governance import ReviewRecord, review_records
from frasier.org.improvement import read_score_trend
from frasier.org.people import CapabilityTable, PersonaVersion, find_agent, persona_versions, roster
from frasier.org.skills import Skill, skills_of
from frasier.org.staffing import ScoreTrend
from frasier.overview.board import open_tasks_by_assignee
from frasier.overview.colleagues import ColleagueAffinity, read_colleagues
from frasier.overview.hires import HireView, read_hires
from frasier.overview.people import GivenReview, read_reviews_given, read_reviews_received
from frasier.store import Tx

_MEMORIES = 8
_REVIEWS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillLevel:
    """A skill of an agent, its `level` from 1 to 10, and the accepted works that it grew by (`uses`)."""

    skill: str
    level: int
    uses: int
    last_used: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSummary:
    """An agent as a line, with the open tasks that it has and its skills, the best first."""

    agent: UUID
    key: str
    name: str
    role: str
    title: str
    team: str | None
    kind: str
    status: str
    open_tasks: int
    skills: tuple[SkillLevel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaText:
    """A version of a persona: who an agent is, its character, how it works, and what its work must meet.

    `why` it was written, and the `sources` of the trade that it rests on.
    """

    version: int
    identity: str
    soul: str
    method: str
    standards: str
    sources: tuple[str, ...]
    why: str
    written_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewAgreement:
    """The verdicts that an agent gave, how many were marked by later judgements of the same content (the founder's, a
    colleague's, a correction), and with how many of these all agree; `agreement` is the share, None before the first.
    """

    given: int
    marked: int
    agreed: int
    agreement: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedWork:
    """A memory of an agent: of work that it did, or a lesson."""

    memory: UUID
    title: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPage:
    """An agent with its persona, skills, recent work and lessons, the reviews of its work and by it, and the colleagues
    that it has worked with.

    `personas` are all versions, newest first, `persona` is the one in force. `score_trend` holds the scores
    of the newest versions of its work and of those before them. `hire` is None for the founding agents.
    `capabilities` are what its role may do.
    """

    agent: UUID
    key: str
    name: str
    role: str
    title: str
    team: str | None
    kind: str
    status: str
    since: datetime
    capabilities: tuple[str, ...]
    hire: HireView | None
    persona: PersonaText
    personas: tuple[PersonaText, ...]
    review_agreement: ReviewAgreement
    score_trend: ScoreTrend
    skills: tuple[SkillLevel, ...]
    reviews_received: tuple[GivenReview, ...]
    reviews_given: tuple[GivenReview, ...]
    recent_work: tuple[RememberedWork, ...]
    lessons: tuple[RememberedWork, ...]
    colleagues: tuple[ColleagueAffinity, ...]


async def read_agents(tx: Tx, *, active_only: bool) -> tuple[AgentSummary, ...]:
    """Read the agents team by team; those who are dormant or retired only where not `active_only`."""
    open_tasks = await open_tasks_by_assignee(tx)
    return tuple(
        [
            copy_fields(
                AgentSummary,
                agent,
                agent=agent.id,
                open_tasks=open_tasks.get(agent.id, 0),
                skills=_levels(await skills_of(tx, agent.id)),
            )
            for agent in await roster(tx, active_only=active_only)
        ]
    )


async def read_agent(tx: Tx, name: str, *, capabilities: CapabilityTable) -> AgentPage:
    """Read the agent whose name or key is `name` or begins with it. Raises NotFound and InvalidInput."""
    agent = await find_agent(tx, name)
    personas = tuple(persona_text(version) for version in await persona_versions(tx, agent.id))
    hires = await read_hires(tx, agent=agent.id)
    skills = await skills_of(tx, agent.id)
    return copy_fields(
        AgentPage,
        agent,
        agent=agent.id,
        since=agent.created_at,
        capabilities=tuple(sorted(capabilities.of_agent(agent))),
        hire=hires[0] if hires else None,
        persona=next(one for one in personas if one.version == agent.persona_version),
        personas=personas,
        review_agreement=await read_review_agreement(tx, agent.id),
        score_trend=await read_score_trend(tx, agent.id),
        skills=_levels(skills),
        reviews_received=await read_reviews_received(tx, agent.id, limit=_REVIEWS),
        reviews_given=await read_reviews_given(tx, agent.id, limit=_REVIEWS),
        recent_work=_memories(await recent_of_agent(tx, agent.id, {MemoryKind.TASK}, _MEMORIES)),
        lessons=_memories(await recent_of_agent(tx, agent.id, {MemoryKind.LESSON}, _MEMORIES)),
        colleagues=await read_colleagues(tx, agent.id),
    )


def persona_text(version: PersonaVersion) -> PersonaText:
    """Return a stored version as it is shown."""
    persona = version.persona
    return PersonaText(
        version=version.version,
        identity=persona.identity,
        soul=persona.soul,
        method=persona.method,
        standards=persona.standards,
        sources=persona.sources,
        why=version.why,
        written_at=version.created_at,
    )


async def read_review_agreement(tx: Tx, agent_id: UUID) -> ReviewAgreement:
    """Read how many verdicts an agent gave, and what became of them."""
    record = (await review_records(tx, [agent_id])).get(agent_id, ReviewRecord())
    return ReviewAgreement(
        given=record.given, marked=record.marked, agreed=record.agreed, agreement=record.agreement
    )


def _levels(skills: Iterable[Skill]) -> tuple[SkillLevel, ...]:
    return tuple(
        SkillLevel(skill=skill.name, level=skill.level, uses=skill.uses, last_used=skill.last_used)
        for skill in skills
    )


def _memories(memories: Iterable[Memory]) -> tuple[RememberedWork, ...]:
    return tuple(
        RememberedWork(memory=memory.id, title=memory.title, text=memory.content, at=memory.last_seen_at)
        for memory in memories
    )
