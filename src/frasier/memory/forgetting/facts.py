"""What an episode states, sentence by sentence, and when two sentences state the same. Pure.

Two sentences are taken for the same only where nothing that could change the meaning differs: numbers, negations,
words of order and degree, opposites, names, and the order of the words. What is not clearly the same is kept apart,
because what is taken for the same may be archived.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.tokens import tokenize
from frasier.memory.trigger_keys import trigger_words

SIMILARITY_MIN = 0.75
FACTS_PER_MEMORY_MAX = 20
TERMS_MIN = 3
"""A sentence of fewer terms ("Done.") says too little to be one fact."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|\n+|(?<=[。！？])")
_BULLET = re.compile(r"[\s\-*•#>]+")
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_WORD = re.compile(r"[^\W_]+")
# The last is what is left of "don't" where words are taken apart.
_NEGATION_WORDS = """
no not never none nobody nothing nowhere neither nor without cannot cant dont doesnt didnt isnt wasnt arent werent
wont wouldnt shouldnt couldnt hasnt havent hadnt mustnt t
"""
# Opposites, as contradictions most often use them; words of order, degree and condition; numbers.
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
    """The sentence of a memory at a place, of `length` terms.

    `terms` are distinct, in the order in which they first occur; `bag` is the same without an order. Of two facts
    that are the same the `signature` is equal. `first` is the term of the first word: there no capital tells
    whether it is a name.
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
    """The facts that a memory states, at most 20, in order; questions and very short sentences state none."""
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
    """The sentences and lines of a text, without the marks of a list."""
    for piece in _SENTENCE_END.split(content):
        start = _BULLET.match(piece)
        if sentence := piece[start.end() if start else 0 :].strip():
            yield sentence


def similarity(one: Fact, other: Fact) -> float:
    """How much of the words of two facts is common, 0 to 1 (Jaccard); 0 where they could mean another thing."""
    if one.signature != other.signature:
        return 0.0
    common = one.bag & other.bag
    shared = len(common) / (len(one.bag) + len(other.bag) - len(common))
    if shared < SIMILARITY_MIN:
        return 0.0
    if (one.first and one.first not in other.bag) or (other.first and other.first not in one.bag):
        return 0.0
    in_order = [term for term in one.terms if term in common] == [
        term for term in other.terms if term in common
    ]
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
    """Words that are written like names: with a capital, where a sentence does not ask for one anyway."""
    for at, word in enumerate(_WORD.findall(sentence)):
        capitals = word[1:] if at == 0 else word
        if capitals != capitals.lower():
            yield word.casefold()
