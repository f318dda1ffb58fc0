"""Differences between two similar texts by which they state different things. Pure.

Every verdict of the gate that would leave one of the two texts out uses this one comparison; that on a contradiction,
which denies something by itself, uses its first point. A text may add something, and may put it in other words and in
another order; it states something else if

- a number (with its sign and unit), a date or a name is gone,
- one text denies what the other states, or has the opposite of one of its words,
- the operators of code differ, or
- two things have changed places around the word that relates them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from frasier.kernel.tokenizer import tokenize, words_and_terms
from frasier.memory.admission.key_words import Facts, facts_of, lost_identities
from frasier.memory.admission.negations import (
    AROUND_NEGATIONS,
    NEGATING_PREFIXES,
    NEGATIONS,
    OPPOSITE_WORDS,
    OPPOSITES,
    with_stems,
)
from frasier.memory.admission.sentences import split_sentences

_AFFIRMED_CHARS_MIN = 4  # of a word with a negating prefix, without it
_FRENCH_SECOND = frozenset({"pas", "jamais", "aucun", "aucune", "rien"})  # with "ne" they are one negation
# What stands around these may change places: Linz is the capital.
_COPULAS = frozenset(["am", "is", "are", "was", "were", "be", "been", "being"])
_PREPOSITIONS_OF_AGENTS = frozenset(["by", "von", "vom", "par", "por", "da", "dal", "door"])  # in the passive
_UNSTRESSED = _COPULAS | NEGATIONS | AROUND_NEGATIONS | with_stems("a an the to have has had do does did")
_AROUND_TERMS = frozenset(tokenize(" ".join(sorted(NEGATIONS | AROUND_NEGATIONS))))
_SWAPPED = 3  # two things and what relates them


def differing_statements(old: str, new: str) -> frozenset[str]:
    """Return the words or the kind of difference by which `new` does not state all of `old`; empty if it does."""
    if old == new:
        return frozenset()
    if lost := lost_identities(old, new):
        return lost
    if set(split_sentences(old)) <= set(split_sentences(new)):
        return frozenset()  # all of it is still there
    mine, theirs = facts_of(old), facts_of(new)
    if mine.symbols != theirs.symbols:
        lost_symbols = Counter(mine.symbols) - Counter(theirs.symbols)
        return frozenset(lost_symbols or Counter(theirs.symbols) - Counter(mine.symbols) or mine.symbols)
    if (
        negations(mine.sequence) != negations(theirs.sequence)
        or _denied(mine, theirs)
        or _denied(theirs, mine)
        or _negation_moved(mine, theirs)
    ):
        return frozenset({"a negation"})
    if opposites := _opposites(mine, theirs):
        return opposites
    return frozenset({"the order of the words"}) if _exchanged(mine, theirs) else frozenset()


def left_out_words(old: str, new: str) -> frozenset[str]:
    """Return the words of `old` that `new` has less often, in any form; numbers are compared as statements are."""
    fewer = Counter(tokenize(old)) - Counter(tokenize(new))
    return frozenset(
        word
        for word, term in words_and_terms(old)
        if term in fewer and term not in _AROUND_TERMS and not any(map(str.isdigit, word))
    )


def negations(words: Sequence[str]) -> int:
    """Return how often the words deny something."""
    counted = Counter(word for word in words if word in NEGATIONS)
    return counted.total() - min(counted["ne"], sum(counted[word] for word in _FRENCH_SECOND))


def _denied(mine: Facts, theirs: Facts) -> frozenset[str]:
    """Return the words that `mine` denies and `theirs` has without a negation: use tabs, not spaces."""
    return (_after_negations(mine) - _after_negations(theirs)).intersection(theirs.sequence)


def _negation_moved(mine: Facts, theirs: Facts) -> bool:
    """Return whether the same words in the same order are denied in other places: A is and B is not."""
    (words, places), (other_words, other_places) = map(_places_of_negations, (mine, theirs))
    return words == other_words and places != other_places


def _places_of_negations(facts: Facts) -> tuple[list[str], list[int]]:
    """Return the stressed words, and how many of them stand before each negation."""
    words: list[str] = []
    places: list[int] = []
    for word in facts.sequence:
        if word in NEGATIONS:
            places.append(len(words))
        elif word not in _UNSTRESSED:
            words.append(word)
    return words, places


def _after_negations(facts: Facts) -> frozenset[str]:
    """Return the first word after each negation that does not go with it: no longer used."""
    denied: set[str] = set()
    following = ""
    for word in reversed(facts.sequence):
        if word in NEGATIONS:
            denied.add(following)
        if word not in _UNSTRESSED:
            following = word
    return frozenset(denied)


def _opposites(mine: Facts, theirs: Facts) -> frozenset[str]:
    """Return the words of `mine` whose opposites `theirs` has instead."""
    gone, added = set(mine.sequence), set(theirs.sequence)
    gone, added = gone - added, added - gone
    if not gone or not added:
        return frozenset()
    exchanged = {word for word in gone if _turned(word) & added}
    exchanged.update(*(_turned(word) & gone for word in added))
    if gone & OPPOSITE_WORDS and added & OPPOSITE_WORDS:
        for one, other in OPPOSITES:
            for side, opposite in ((one, other), (other, one)):
                if added & opposite:
                    exchanged |= gone & side
    return frozenset(exchanged)


def _turned(word: str) -> set[str]:
    """Return the word with each of the negating prefixes."""
    if len(word) < _AFFIRMED_CHARS_MIN:
        return set()
    return {prefix + word for prefix in NEGATING_PREFIXES}


def _exchanged(mine: Facts, theirs: Facts) -> bool:
    """Return whether two things have changed places around the word that relates them.

    Then at least three words follow each other in reverse. Moving a part of a sentence never reverses three words, and
    in the passive the reverse says the same.
    """
    if mine.sequence == theirs.sequence:
        return False
    first, second = ([*_landmarks(facts)] for facts in (mine, theirs))
    once = {word for word, count in Counter(first).items() if count == 1}
    once &= {word for word, count in Counter(second).items() if count == 1}
    places = {word: place for place, word in enumerate(word for word in second if word in once)}
    reverse = _longest_rising([-places[word] for word in first if word in once]) >= _SWAPPED
    return reverse != (_agents(first, once) != _agents(second, once))


def _landmarks(facts: Facts) -> Iterator[str]:
    """Yield the words of a text in order; every negation is the same word."""
    for word in facts.sequence:
        if word not in _COPULAS:
            yield "not" if word in NEGATIONS else word


def _agents(words: Sequence[str], shared: set[str]) -> set[str]:
    """Return those of the shared words that follow a preposition of the passive: the report was written by Ann."""
    agents: set[str] = set()
    for place, word in enumerate(words):
        if word in _PREPOSITIONS_OF_AGENTS:
            agents |= shared.intersection(words[place + 1 : place + 3])
    return agents


def _longest_rising(numbers: Sequence[int]) -> int:
    """Return the length of the longest rising subsequence."""
    tails: list[int] = []
    for number in numbers:
        place = bisect_left(tails, number)
        tails[place : place + 1] = [number]
    return len(tails)
