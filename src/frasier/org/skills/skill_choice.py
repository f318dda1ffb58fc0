"""The choice of the skills that a piece of work needs, computed from its words. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frasier.kernel.text import compile_words
from frasier.kernel.tokenizer import tokenize
from frasier.org.skills.catalog import FALLBACK_SKILL, keyword_pattern
from frasier.org.skills.skill_versions import SkillVersion

SHORT_MAX = 6
"""The most skills whose short texts stand in a prompt."""
LONG_MAX = 3
"""The most skills whose long texts a step is given."""

_OF_THE_TRADE = 3
_SHARED_TERMS_MIN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillChoice:
    """The skills of a prompt: those with their `short` texts, and those that the work needs in full (`long`)."""

    short: tuple[SkillVersion, ...]
    long: tuple[SkillVersion, ...]


def choose_skills(work: str, in_force: Sequence[SkillVersion], levels: Mapping[str, int]) -> SkillChoice:
    """Choose the skills of an agent's prompts for work that is described by `work`.

    A skill is needed as much as different keywords of it stand in the description, in whose first line, the title,
    each counts twice; one that is in no catalogue has its name and the terms of its short text instead. Short: those
    that the agent has (`levels`) and the work needs, or else the best of its trade. Long: the one to three that are
    needed most, whether or not the agent has them yet, and more than half as much as the first; the method for any
    task where no skill is needed.
    """
    title = work.partition("\n")[0]
    needs = {one.skill: _need(one, title) + _need(one, work) for one in in_force}
    by_need = sorted(in_force, key=lambda one: (-needs[one.skill], -levels.get(one.skill, 0), one.skill))
    needed = [one for one in by_need if needs[one.skill]]
    own = [one for one in needed if one.skill in levels] or _best(in_force, levels)
    full = [one for one in needed if 2 * needs[one.skill] > needs[needed[0].skill]]
    return SkillChoice(
        short=tuple(own[:SHORT_MAX]),
        long=tuple(full[:LONG_MAX]) or tuple(one for one in in_force if one.skill == FALLBACK_SKILL),
    )


def _best(in_force: Sequence[SkillVersion], levels: Mapping[str, int]) -> list[SkillVersion]:
    own = [one for one in in_force if one.skill in levels]
    return sorted(own, key=lambda one: (-levels[one.skill], one.skill))[:_OF_THE_TRADE]


def _need(version: SkillVersion, work: str) -> int:
    pattern = keyword_pattern(version.skill)
    if pattern is not None:
        return len({re.sub(r"[\s-]+", " ", word.casefold()) for word in pattern.findall(work)})
    named = compile_words([version.skill.replace("_", " ")]).search(work) is not None
    shared = len(frozenset(tokenize(work)) & frozenset(tokenize(version.short)))
    return int(named) + int(shared >= _SHARED_TERMS_MIN)
