"""The catalogue of skills: the initial set of each role, and the skills that a piece of work uses. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from frasier.kernel.text import compile_words
from frasier.org.people import Role

FALLBACK_SKILL = "general_task_execution"

# A short alias matches only a whole word: "coo" is a chief operating officer, but "coordinator" is none.
_WHOLE_WORD_UP_TO = 3


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files("frasier.org.skills").joinpath("skills.toml").read_text("utf-8"))


def skill_set(role: str) -> tuple[str, ...]:
    """Return the initial skills of an agent of `role`.

    `role` is a Role, or any words for one, such as "newsletter editor": it means the first role with
    an alias that begins one of its words. Without a match the result is the fallback skill alone.
    """
    sets: Mapping[str, list[str]] = _table()["sets"]
    if role in sets:
        return tuple(sets[role])
    for family, pattern in _alias_patterns():
        if pattern.search(role):
            return tuple(sets[family])
    return (FALLBACK_SKILL,)


def skills_in(text: str) -> list[str]:
    """Return the skills that work described by `text` uses: those with a keyword in it, as a whole word."""
    return [skill for skill, pattern in _keyword_patterns().items() if pattern.search(text)]


def keyword_pattern(skill: str) -> re.Pattern[str] | None:
    """Return the pattern of the words by which work is known to use a skill; None for one outside the catalogue."""
    return _keyword_patterns().get(skill)


@cache
def _keyword_patterns() -> Mapping[str, re.Pattern[str]]:
    keywords: Mapping[str, list[str]] = _table()["keywords"]
    return {skill: compile_words([skill.replace("_", " "), *keywords[skill]]) for skill in sorted(keywords)}


@cache
def _alias_patterns() -> tuple[tuple[Role, re.Pattern[str]], ...]:
    aliases: Mapping[str, list[str]] = _table()["aliases"]
    return tuple((Role(family), _beginning_with(words)) for family, words in aliases.items())


def _beginning_with(words: list[str]) -> re.Pattern[str]:
    ends = (re.escape(word) + (r"\b" if len(word) <= _WHOLE_WORD_UP_TO else "") for word in words)
    return re.compile(rf"\b(?:{'|'.join(ends)})", re.IGNORECASE)


def aliases_of(role: Role) -> tuple[str, ...]:
    """Return the words by which a role is known in titles."""
    return (str(role), *_table()["aliases"].get(role, ()))
