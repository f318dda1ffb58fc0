"""The search for a colleague who has the trade that a title names. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from uuid import UUID

from frasier.org.people import Agent, AgentKind, AgentStatus, Role
from frasier.org.skills import FITS_FROM, Expertise, share_known, trade_terms
from frasier.org.staffing.preference import prefer


def find_colleague(
    title: str,
    role: Role,
    colleagues: Sequence[Expertise],
    *,
    load: Mapping[UUID, int],
    levels: Mapping[UUID, int] = MappingProxyType({}),
    recent: Sequence[UUID] = (),
    affinity: Mapping[UUID, float] = MappingProxyType({}),
) -> Agent | None:
    """Find the active agent who has the trade that a title names; None if nobody does. Of those who have it alike,
    `prefer` chooses by level, load and name.

    A title that names no trade, such as "senior expert", fits whoever has the role. The chief of staff plans and does
    no steps. Ties go to whoever works best with those who do the rest (`affinity`).
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

    def fit(colleague: Expertise) -> tuple[float, int, bool]:
        # Of those who are known by as much of it, whose title says so comes first: skills come with every role.
        return (
            share_known(terms, colleague),
            len(terms & colleague.title_terms),
            colleague.agent.role is role,
        )

    best = max(map(fit, fitting))
    alike = [one.agent for one in fitting if fit(one) == best]
    return prefer(alike, load=load, levels=levels, recent=recent, affinity=affinity)
