"""Denials: whether a new text denies an old one, and leaves nothing of it out. Pure.

Only a denial retires a memory, so it is narrower than a contradiction (see contradiction), which is linked. Every
sentence of the old text must be restated or denied by a sentence of the new one, and a denial may differ in nothing but
the negation, the other side of a pair of opposites, and the small words that these bring along. Another subject, time,
place or condition may leave both true, and so may a question, a part ("some lamps"), and a negation within a clause
("the door that is not locked").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from frasier.memory.admission.contradiction import UNSTRESSED, plain_words
from frasier.memory.admission.differences import negations
from frasier.memory.admission.key_words import facts_of
from frasier.memory.admission.negations import AROUND_NEGATIONS, NEGATIONS
from frasier.memory.admission.opposites import SIDES
from frasier.memory.admission.sentences import questions_of, split_sentences

# In the nine languages of the negations.
_PARTIAL_WORDS = """
some several few many most half one another other others sometimes often usually rarely partly perhaps maybe
may might could
manche mancher manches einige mehrere viele oft manchmal selten teilweise vielleicht meist
sommige enkele veel vaak soms misschien certains certaines quelques plusieurs parfois souvent peut-être
alcuni alcune qualche spesso talvolta forse algunos algunas unos unas varios veces quizás
alguns algumas vários vezes talvez niektóre niektórzy kilka czasami często może
некоторые несколько иногда часто может
"""
_CLAUSE_WORDS = """
if unless when whenever while where which who whose that because although since whether until before after
wenn falls sobald weil dass ob solange als indien wanneer omdat dat terwijl si quand lorsque que qui parce car
se quando che perché cuando porque jeśli gdy kiedy że który która które bo
если когда что который которая которое
"""
# What holds of a part, at times or perhaps may also not hold.
_PARTIAL = frozenset(_PARTIAL_WORDS.split())
# A negation after one of these belongs to a clause, which may name another case.
_CLAUSES = frozenset(_CLAUSE_WORDS.split())
# A comma begins a clause too, and so does the Dutch pronoun, unlike the German article before its noun.
_CLAUSE_MARK = re.compile(r",(?=\s)|(?<=\w )die(?=\s*$| [^A-ZÄÖÜ])")
# Another one may differ.
_INDEFINITE = frozenset(
    {"a", "an", "ein", "eine", "einer", "eines", "een", "un", "une", "una", "uno", "um", "uma"}
)
_PAST = frozenset({"was", "were", "did", "had", "been"})
_BEFORE_PARTICIPLES = frozenset({"am", "is", "are", "was", "were", "be", "been", "being"})
_PARTICIPLE_CHARS_MIN = 4
_UNPAIRED = frozenset({"always/never", "yes/no"})  # a sentence says the same without these words
_KEPT_FORMS = frozenset({"must", "should"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Statement:
    """A sentence: its words without what a denial exchanges, how often it denies, and how much of it is past."""

    text: str
    core: tuple[str, ...]
    denials: int
    past: int


def denies(old: str, new: str) -> bool:
    """Return whether `new` restates or denies every sentence of `old`, and denies one at least."""
    stated: dict[tuple[str, ...], list[_Statement]] = {}
    asked = questions_of(new)
    for text in dict.fromkeys(split_sentences(new)):
        if text not in asked:
            statement = _statement(text)
            stated.setdefault(statement.core, []).append(statement)
    restated = {facts_of(text).sequence for text in split_sentences(new)}
    asked = questions_of(old)
    denied = False
    for text in dict.fromkeys(split_sentences(old)):
        if facts_of(text).sequence in restated:
            continue
        mine = _statement(text)
        if text in asked or not any(_is_denied(mine, theirs) for theirs in stated.get(mine.core, ())):
            return False
        denied = True
    return denied


def _is_denied(mine: _Statement, theirs: _Statement) -> bool:
    """Return whether two sentences with the same core deny each other."""
    if abs(mine.denials - theirs.denials) != 1 or mine.past != theirs.past:
        return False
    words = plain_words(mine.text)
    if words[0] in _INDEFINITE or not _PARTIAL.isdisjoint(words):
        return False
    alike = takewhile(
        lambda pair: pair[0] == pair[1], zip(mine.text.lower(), theirs.text.lower(), strict=False)
    )
    shared = mine.text[: sum(1 for _ in alike)]
    return not _CLAUSE_MARK.search(shared) and _CLAUSES.isdisjoint(plain_words(shared))


def _statement(text: str) -> _Statement:
    words = facts_of(text).sequence
    opposite = sum(word not in NEGATIONS and SIDES.get(word, ("", 0))[1] for word in words)
    return _Statement(
        text=text,
        core=tuple(_core(words)),
        denials=negations(words) + opposite,
        past=_past(plain_words(text)),
    )


def _core(words: Sequence[str]) -> Iterator[str]:
    """Yield the words without negations and what these bring along; opposites become the name of their pair."""
    for place, word in enumerate(words):
        if word in NEGATIONS or _goes_with_negation(words, place):
            continue
        pair = "" if word in _KEPT_FORMS else SIDES.get(word, ("", 0))[0]
        if pair in _UNPAIRED or word in UNSTRESSED:
            continue
        yield pair or word


def _goes_with_negation(words: Sequence[str], place: int) -> bool:
    """Return whether a word only strengthens a negation: no longer, not any more, ne … plus, ya no."""
    if words[place] not in AROUND_NEGATIONS or NEGATIONS.isdisjoint(words):
        return False
    beside = {*words[max(place - 1, 0) : place], *words[place + 1 : place + 2]}
    return (
        place == len(words) - 1
        or "any" in beside
        or not NEGATIONS.isdisjoint(beside)
        or (words[place] == "plus" and "ne" in words)
    )


def _past(words: Sequence[str]) -> int:
    """Return how many words put an English sentence into the past; a participle after "is" does not."""
    past, before = 0, ""
    for word in words:
        ends_past = word.endswith("ed") and not word.endswith("eed") and len(word) >= _PARTICIPLE_CHARS_MIN
        past += word in _PAST or (ends_past and before not in _BEFORE_PARTICIPLES)
        if word not in NEGATIONS and word not in AROUND_NEGATIONS and word != "always":
            before = word
    return past
