"""Follow-up questions, which take their subject from the one before: "who leads it", "at what price"."""

from __future__ import annotations

import re
from dataclasses import replace

from frasier.llm.providers.rehearsal.aspects import aspects, is_question
from frasier.llm.providers.rehearsal.grammar import AUXILIARY, POSSESSIVES, PRONOUN
from frasier.llm.providers.rehearsal.needs import Need, need_of
from frasier.llm.providers.rehearsal.questions import subject_and_cue

_WORDS_OF_FRAGMENT = 2


def need_in(question: str, directive: str) -> Need:
    """Return the need behind a question of a directive, with the words of the question that it follows up."""
    need = need_of(question)
    asked = [need_of(aspect) for aspect in aspects(directive)]
    at = next((at for at, one in enumerate(asked) if one.label == need.label), 0)
    before = next((one for one in reversed(asked[:at]) if not _follows_up(one)), None)
    if before is None or not (_follows_up(need) or _is_possessed(question, directive)):
        return need
    follow_up = replace(need, thing=before.thing, after=before.label)
    if not need.words:
        return replace(follow_up, within=before.words)
    words = tuple(dict.fromkeys((*need.words, *before.words)))
    return replace(follow_up, words=words, conditions=(*before.conditions, *need.conditions))


def _is_possessed(question: str, directive: str) -> bool:
    """Return whether a directive says "its" of what a question is about."""
    subject, _ = subject_and_cue(question)
    return re.search(rf"\b{POSSESSIVES}\s+{re.escape(subject)}", directive, re.IGNORECASE) is not None


def _follows_up(need: Need) -> bool:
    """Return whether a question has a pronoun for its subject, or is the fragment of one, without a verb."""
    subject, _ = subject_and_cue(need.question)
    if PRONOUN.search(subject):
        return True
    is_fragment = is_question(subject) and not AUXILIARY.search(subject)
    return is_fragment and len(need.words) <= _WORDS_OF_FRAGMENT
