"""Facts of an episode, one per sentence, and their equivalence. Pure.

Two sentences are equivalent only if nothing that could change the meaning differs: numbers, negations, words of order
and degree, opposites, names, and the order of the words. In doubt they are kept apart, because equivalent ones may be
archived.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.tokenizer import tokenize
from frasier.memory.trigger_keys import trigger_words

SIMILARITY_MIN = 0.75
FACTS_PER_MEMORY_MAX = 20
TERMS_MIN = 3
"""A sentence of fewer terms ("Done.") says too little to be one fact."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|\n+|(?<=[。！？])")
_BULLET = re.compile(r"[\s\-*•#>]+")
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_WORD = re.compile(r"[^\W_]+")
# The last is the rest of "don't" after the words are split.
_NEGATION_WORDS = """
no not never none nobody nothing nowhere neither nor without cannot cant dont doesnt didnt isnt wasnt arent werent
wont wouldnt shouldnt couldnt hasnt havent hadnt mustnt t
"""
# Common opposites; words of order, degree and condition; numbers.
_DECISIVE_WORDS = """
always must mustn should shouldn enable enabled enables disable disabled disables true false yes required optional
mandatory forbidden allow allowed allows deny denied denies include included includes exclude excluded excludes
prefer prefers avoid avoids
before after until since above below over under more less fewer most least first last only if unless can could may
might will would was were up down off out from
zero one two three four five six seven eight nine ten eleven twelve twenty hundred thousand million half twice once
second third all some any both
"""
_NEGATIONS = frozenset(_NEGATION_WORDS.split())
_DECISIVE = frozenset(_DECISIVE_WORDS.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A sentence of a memory at position `at`, of `length` terms.

    `terms` are distinct, in the order in which they first occur; `bag` is the same unordered. Equivalent facts have
    equal signatures. `first` is the term of the first word, whose capital does not tell whether it is a name.
    """

    source: UUID
    at: int
    text: str
    length: int
    terms: tuple[str, ...]
    bag: frozenset[str]
    signature: tuple[object, ...]
    first: str


def facts_of(source: UUID, content: str) -> list[Fact]:
    """Return the facts that a memory states, at most 20, in order; questions and very short sentences are skipped."""
    facts: list[Fact] = []
    for sentence in sentences(content):
        counted = tokenize(sentence)
        terms = tuple(dict.fromkeys(counted))
        if len(terms) < TERMS_MIN or sentence.endswith(("?", "？")):
            continue
        facts.append(
            Fact(
                source=source,
                at=len(facts),
                text=sentence,
                length=len(counted),
                terms=terms,
                bag=frozenset(terms),
                signature=_signature(sentence),
                first=next(iter(tokenize(sentence.split(maxsplit=1)[0])), ""),
            )
        )
        if len(facts) == FACTS_PER_MEMORY_MAX:
            break
    return facts


def sentences(content: str) -> Iterator[str]:
    """Yield the sentences and lines of a text, without list markers."""
    for piece in _SENTENCE_END.split(content):
        start = _BULLET.match(piece)
        if sentence := piece[start.end() if start else 0 :].strip():
            yield sentence


def similarity(a: Fact, b: Fact) -> float:
    """Return the similarity of two facts by words, 0 to 1 (Jaccard); 0 if their meanings could differ."""
    if a.signature != b.signature:
        return 0.0
    common = a.bag & b.bag
    shared = len(common) / (len(a.bag) + len(b.bag) - len(common))
    if shared < SIMILARITY_MIN:
        return 0.0
    if (a.first and a.first not in b.bag) or (b.first and b.first not in a.bag):
        return 0.0
    in_order = [term for term in a.terms if term in common] == [term for term in b.terms if term in common]
    return shared if in_order else 0.0


def _signature(sentence: str) -> tuple[object, ...]:
    words = trigger_words(sentence)
    return (
        tuple(_NUMBER.findall(sentence)),
        sum(word in _NEGATIONS for word in words),
        tuple(sorted({word for word in words if word in _DECISIVE})),
        frozenset(_names(sentence)),
    )


def _names(sentence: str) -> Iterator[str]:
    """Yield words that are written like names: with a capital other than the sentence's first."""
    for at, word in enumerate(_WORD.findall(sentence)):
        capitals = word[1:] if at == 0 else word
        if capitals != capitals.lower():
            yield word.casefold()
