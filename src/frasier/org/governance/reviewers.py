"""Eligibility for reviews, and their scope. Pure."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from frasier.org.people import Agent, AgentStatus, Role


def may_review(agent: Agent, *, wrote: Collection[UUID]) -> bool:
    """Whether an agent may judge what those with the ids `wrote` made: active, no test identity, and none of them."""
    return agent.status is AgentStatus.ACTIVE and not agent.is_test and agent.id not in wrote


def review_scope(reviewer: Agent, role: Role) -> str:
    """Return "technical" if QA reviews work outside engineering (D-033): the craft, not the domain."""
    if reviewer.role is Role.QA and role not in {Role.ENGINEERING, Role.QA}:
        return "technical"
    return "full"
