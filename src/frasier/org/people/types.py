"""The values of people: agents and personas. The enums equal the text in the database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class Role(StrEnum):
    """The seven trades. Work is routed to a role, and every agent has one."""

    STRATEGY = "strategy"
    RESEARCH = "research"
    CONTENT = "content"
    ENGINEERING = "engineering"
    QA = "qa"
    GROWTH = "growth"
    KNOWLEDGE = "knowledge"


class AgentKind(StrEnum):
    """An agent's place in the organisation. There is one chief of staff, and only they belong to no team."""

    CHIEF_OF_STAFF = "chief_of_staff"
    TEAM_LEAD = "team_lead"
    SUB_AGENT = "sub_agent"
    QA = "qa"


class AgentStatus(StrEnum):
    """Only active agents are given work. One who is proposed waits for the founder's decision. A retired agent's name
    is free again; what they did stays.
    """

    PROPOSED = "proposed"
    ACTIVE = "active"
    DORMANT = "dormant"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """An agent. `key` never changes; `name` is for people; `persona_version` is the persona in force.

    A test identity (`is_test`) is given no work and never reviews.
    """

    id: UUID
    key: str
    name: str
    role: Role
    title: str
    team: str | None
    kind: AgentKind
    status: AgentStatus
    persona_version: int
    created_at: datetime
    is_test: bool = False

    @property
    def is_tester(self) -> bool:
        """Whether the agent judges the craft of all work, whatever its subject."""
        return self.kind is AgentKind.QA or self.role is Role.QA


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """The four parts of a persona: identity, character, method, and standards of work; `sources` of its craft."""

    identity: str
    soul: str
    method: str
    standards: str
    sources: tuple[str, ...] = ()
