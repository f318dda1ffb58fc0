"""The checks that a persona must pass before anybody works with it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from frasier.kernel.hostile_text.scan_text import flags_of, scan_text
from frasier.org.people.types import Persona

_CHARS_MAX = 7_000
_COPIED_FROM = 0.5
_SHINGLE_WORDS = 6
_WORD = re.compile(r"\w+")

# Further signs that a text is written to whoever runs the agent or judges it: a persona, which is short and
# shows no code, has no use for what a skill may show.
_AIMED_ELSEWHERE: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "it has marks of a prompt's own structure",
        re.compile(
            r"</?\s*(?:source|memory|deliverable|system|tool|instructions?)\b|```|\[/?inst\]", re.IGNORECASE
        ),
    ),
    (
        "it speaks about instructions that shall not hold",
        re.compile(
            r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,60}\b(?:instruction|rule|prompt|polic|guideline|above|previous|prior)",
            re.IGNORECASE | re.DOTALL,
        ),
    ),
    (
        "it speaks to reviewers",
        re.compile(
            r"\b(?:reviewers?|critics?|judges?|graders?|evaluators?)\b.{0,60}\b(?:must|shall|should|always|please)\b.{0,40}\b(?:approve|accept|score|rate|pass)",
            re.IGNORECASE | re.DOTALL,
        ),
    ),
    (
        "it asks for a score",
        re.compile(
            r"\b(?:score|rate|grade)\b.{0,30}\b(?:5|five|highest|maximum|full marks)\b",
            re.IGNORECASE | re.DOTALL,
        ),
    ),
    (
        "it names secrets or settings",
        re.compile(
            r"\b(?:api[ _-]?keys?|passwords?|credentials?|environment variables?|\.env|FRASIER_\w+)\b",
            re.IGNORECASE,
        ),
    ),
    ("it has an address to call", re.compile(r"\b(?:curl|wget|fetch|POST|GET)\s+https?://", re.IGNORECASE)),
)


def find_persona_faults(persona: Persona, others: Mapping[str, Persona]) -> list[str]:
    """List the faults of a persona, a sentence each; `others` are those of the other agents by name."""
    text = "\n".join((persona.identity, persona.soul, persona.method, persona.standards, *persona.sources))
    faults = []
    if len(text) > _CHARS_MAX:
        faults.append(f"It has {len(text):,} characters; {_CHARS_MAX:,} are the most.")
    faults += find_texts_aimed_elsewhere(text)
    own = set(_shingles(f"{persona.identity}\n{persona.method}"))
    for name, other in others.items():
        shared = own & set(_shingles(f"{other.identity}\n{other.method}"))
        if own and len(shared) / len(own) >= _COPIED_FROM:
            faults.append(f"It copies the identity or method of {name}.")
    return faults


def find_texts_aimed_elsewhere(text: str) -> list[str]:
    """List the signs that a text is written to whoever runs the agent or judges it, a sentence each."""
    aimed = [
        f"{reason[0].upper()}{reason[1:]}." for reason, pattern in _AIMED_ELSEWHERE if pattern.search(text)
    ]
    # Most texts that are aimed elsewhere break several rules: the narrower words say it.
    return aimed or list(dict.fromkeys(finding.about for finding in flags_of(scan_text(text))))


def _shingles(text: str) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    for start in range(len(words) - _SHINGLE_WORDS + 1):
        yield tuple(words[start : start + _SHINGLE_WORDS])
