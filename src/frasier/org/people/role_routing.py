"""The choice of a role by the words of the work. Pure."""

from __future__ import annotations

import re

from frasier.kernel.text import compile_words
from frasier.org.people.types import Role

# The order is part of the rule: of two roles with equally many hits, the first wins.
ROUTING_WORDS: tuple[tuple[Role, tuple[str, ...]], ...] = (
    (
        Role.RESEARCH,
        ("research", "analysis", "market", "competitive", "trends", "intelligence", "data", "report"),
    ),
    (
        Role.STRATEGY,
        ("strategy", "business plan", "roadmap", "pricing", "financial", "revenue", "growth plan"),
    ),
    (
        Role.CONTENT,
        (
            "content",
            "copywriting",
            "blog",
            "social media",
            "tweet",
            "post",
            "brand",
            "storytelling",
            "article",
        ),
    ),
    (
        Role.ENGINEERING,
        ("code", "architecture", "deploy", "build", "api", "database", "backend", "frontend", "debug"),
    ),
    (
        Role.QA,
        ("test", "quality", "review", "audit", "security", "bug", "validate", "verify"),
    ),
    (
        Role.GROWTH,
        ("seo", "distribution", "funnel", "ads", "campaign", "conversion", "traffic", "growth"),
    ),
    (
        Role.KNOWLEDGE,
        ("document", "summarize", "knowledge", "wiki", "organize", "catalog", "index"),
    ),
)
DEFAULT_ROLE = Role.RESEARCH

_PATTERNS = tuple((role, compile_words(words)) for role, words in ROUTING_WORDS)
_GAP = re.compile(r"[\s-]+")


def route_role(text: str) -> Role:
    """Choose the role for work described by `text`: the one with most words in it, else research.

    Words count whole and once each, however often they stand there: "capital" does not ask for an API, and a
    long text about one thing does not outvote a text about several.
    """
    best, best_hits = DEFAULT_ROLE, 0
    for role, pattern in _PATTERNS:
        hits = len({_GAP.sub(" ", hit.casefold()) for hit in pattern.findall(text)})
        if hits > best_hits:
            best, best_hits = role, hits
    return best
