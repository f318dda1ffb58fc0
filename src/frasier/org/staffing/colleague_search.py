"""The search for a colleague who has the trade that a title names. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from frasier.org.people import Agent, AgentKind, AgentStatus, Role
from frasier.org.skills import FITS_FROM, Expertise, share_known, trade_terms


def find_colleague(
    title: str, role: Role, colleagues: Sequence[Expertise], *, load: Mapping[UUID, int]
) -> Agent | None:
    """Find the active agent who has the trade that a title names; None if nobody does.

    A title that names no trade, such as "senior expert", fits whoever has the role. The chief of staff plans and does
    no steps.
    """
    terms = trade_terms(title)
    fitting = [
        one
        for one in colleagues
        if one.agent.status is AgentStatus.ACTIVE and one.agent.kind is not AgentKind.CHIEF_OF_STAFF
        if (share_known(terms, one) >= FITS_FROM if terms else one.agent.role is role)
    ]
    if not fitting:
        return None
    # Of those who are known by as much of it, whose title says so comes first: skills come with every role.
    best = min(
        fitting,
        key=lambda one: (
            -share_known(terms, one),
            -len(terms & one.title_terms),
            one.agent.role is not role,
            load.get(one.agent.id, 0),
            one.agent.name,
        ),
    )
    return best.agent
