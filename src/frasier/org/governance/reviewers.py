"""The choice of reviewers, among existing agents, never the author. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from frasier.org.governance.autonomy import ReviewKind
from frasier.org.people import Agent, AgentKind, Role


def choose_reviewer(
    kind: ReviewKind, *, author: UUID, role: Role, team: str | None, roster: Sequence[Agent]
) -> Agent | None:
    """Choose the reviewer for work of `role` by `author`; None if nobody fits, in which case the founder must decide.

    QA work goes to a QA agent. Domain work goes to another agent of the same role (D-015), else to the lead of
    the author's team, else to the chief of staff.
    """
    others = sorted((agent for agent in roster if agent.id != author), key=lambda agent: agent.key)
    testers = [agent for agent in others if agent.kind is AgentKind.QA or agent.role is Role.QA]
    leads = [agent for agent in others if agent.kind is AgentKind.TEAM_LEAD and agent.team == team]
    chiefs = [agent for agent in others if agent.kind is AgentKind.CHIEF_OF_STAFF]
    experts = [agent for agent in others if agent.role is role and agent not in testers]
    ranked = [*testers, *leads, *chiefs] if kind is ReviewKind.QA else [*experts, *leads, *chiefs]
    return ranked[0] if ranked else None


def review_scope(reviewer: Agent, role: Role) -> str:
    """Return "technical" if QA reviews work outside engineering (D-033): the craft, not the domain."""
    if reviewer.role is Role.QA and role not in {Role.ENGINEERING, Role.QA}:
        return "technical"
    return "full"
