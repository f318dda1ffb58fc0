"""Expertise: the words by which a colleague's trade is known, and the share of a title that they cover. Pure but for
`read_expertise`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from frasier.kernel.tokenizer import tokenize
from frasier.org.people import Agent
from frasier.org.skills.catalog import aliases_of, skill_set, skills_in
from frasier.org.skills.store import skills_of
from frasier.store import Tx

FITS_FROM = 0.6
"""The share of a title's words from which a colleague is known to have the trade."""

# Words that stand in titles of every trade and tell none.
_GENERAL = frozenset(
    tokenize(
        "expert specialist advisor adviser consultant analyst manager senior junior lead leader head chief officer"
        " professional experienced certified assistant associate director principal specialised specialized in"
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expertise:
    """An agent with the names of its skills, and its levels in them."""

    agent: Agent
    skills: tuple[str, ...]
    levels: Mapping[str, int] = field(default_factory=dict)

    def level_in(self, work: str) -> int:
        """Return the sum of its levels in the skills that work described by `work` uses."""
        return sum(self.levels.get(skill, 0) for skill in skills_in(work))

    @property
    def title_terms(self) -> frozenset[str]:
        """The terms of its title alone."""
        return frozenset(tokenize(self.agent.title))

    @property
    def terms(self) -> frozenset[str]:
        """The terms by which its trade is known: of its title, its skills, and the aliases of its role (D-023)."""
        skills = " ".join(skill.replace("_", " ") for skill in self.skills)
        aliases = " ".join(aliases_of(self.agent.role))
        return self.title_terms | frozenset(tokenize(f"{skills} {aliases}"))


async def read_expertise(tx: Tx, agents: Sequence[Agent]) -> list[Expertise]:
    """Read the skills of the agents, with their levels."""
    expertise = []
    for agent in agents:
        skills = await skills_of(tx, agent.id)
        levels = {skill.name: skill.level for skill in skills}
        expertise.append(Expertise(agent=agent, skills=tuple(levels), levels=levels))
    return expertise


def trade_terms(title: str) -> frozenset[str]:
    """Return the terms of a title that name its trade; none for one such as "senior expert"."""
    return frozenset(tokenize(title)) - _GENERAL


def title_key(title: str) -> str:
    """Return what is the same for titles of one trade, such as "German tax advisor" and "Tax adviser (German)"."""
    return " ".join(sorted(trade_terms(title) or set(tokenize(title)) or {title.strip().casefold()}))


def is_generalist(agent: Agent) -> bool:
    """Whether the title of an agent names its role, rather than a trade of its own within it."""
    skills = " ".join(skill.replace("_", " ") for skill in skill_set(agent.role))
    known = set(tokenize(f"{' '.join(aliases_of(agent.role))} {skills}"))
    terms = trade_terms(agent.title)
    return not terms or len(terms & known) / len(terms) >= FITS_FROM


def share_known(terms: Collection[str], expertise: Expertise) -> float:
    """Return the share of the terms of a trade that a colleague is known by, from 0 to 1."""
    return len(set(terms) & expertise.terms) / len(terms) if terms else 0.0
