"""The choice of a tier by the words of the work, and the fallbacks of a tier."""

from __future__ import annotations

from frasier.kernel.text import compile_words
from frasier.llm.tiers import Tier

T3_WORDS = (
    "product requirements",
    "product specification",
    "design document",
    "final deliverable",
    "executive report",
    "project plan",
    "product roadmap",
    "business case",
    "investment memo",
)
T2_WORDS = (
    "strategy",
    "analysis",
    "architecture",
    "financial",
    "research",
    "deep dive",
    "multi-step",
    "persona generation",
    "competitive",
    "business plan",
    "market analysis",
    "code review",
    "security audit",
    "long-form",
    "comprehensive",
    "detailed report",
    "requirements",
    "specification",
    "go-to-market",
    "pricing model",
    "revenue model",
    "technical design",
    "system design",
)

_T3 = compile_words(T3_WORDS)
_T2 = compile_words(T2_WORDS)


def choose_tier(text: str, *, final: bool = False, complex_work: bool = False) -> Tier:
    """Choose the tier for work described by `text`.

    Words of the T3 list ask for T3; words of the T2 list, the mission's final step and complex work ask for T2.
    """
    if _T3.search(text):
        return Tier.T3
    if final or complex_work or _T2.search(text):
        return Tier.T2
    return Tier.T1


def fallback_chain(tier: Tier) -> tuple[Tier, ...]:
    """Return the tiers that may answer in place of `tier`: itself first, then ever lower ones."""
    return tuple(sorted((lower for lower in Tier if lower <= tier), reverse=True))
