"""Detection of contradictions between two texts. Pure.

It uses thirteen pairs of opposites, as whole words with their negations: the "use" in "don't use" is not "use". Two
sentences contradict each other if they are on opposite sides of a pair and about the same subject: numbers and names
agree, and most other words. They also do, whatever their words, if they differ in nothing but a negation. A
contradiction is linked; to retire a memory takes more (see denial).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from frasier.kernel.tokenizer import tokenize
from frasier.memory.admission.differences import negations
from frasier.memory.admission.key_words import differing_identities, facts_of
from frasier.memory.admission.negations import AROUND_NEGATIONS, NEGATIONS, with_stems
from frasier.memory.admission.opposites import SIDES
from frasier.memory.admission.sentences import split_sentences

SENTENCE_CHARS_MIN = 10
_SENTENCES_MAX = 100  # with an opposite in them, of each text
_SAME_SUBJECT = 0.6  # the minimum share of the shorter sentence's words
_STEM_CHARS_MIN = 3

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_NEGATIONS = frozenset({"not", "never", "no", "without", "stop", "avoid"})
_BETWEEN = frozenset(
    {"be", "to", "ever", "longer", "any", "the", "a", "an"}
)  # may stand after a negation: not to be used
_SHORTENED = {"can't": "can", "won't": "will", "shan't": "shall", "cannot": "can"}

_VERBS_BEFORE_NOT = frozenset({"must", "should", "is", "are"})
# A negation turns these words themselves into an opposite; "never" and "no" have theirs already.
_NEGATABLE = frozenset(SIDES) - _VERBS_BEFORE_NOT - {"always", "never", "yes", "no"}
_OPPOSITES = frozenset(term for word in SIDES for term in tokenize(word))

STATED_OR_DENIED = "stated/denied"
"""The name of the pair of two sentences that differ in nothing but a negation."""

# did not succeed, kein
UNSTRESSED = with_stems(
    "a an the any some do does did have has had am is are was were be been to ein eine einen un une una"
)
"""The words that come and go with a negation."""
_NOT_OF_CORE = NEGATIONS | AROUND_NEGATIONS | UNSTRESSED
_NOT_OF_SUBJECT = _OPPOSITES | frozenset(tokenize(" ".join(sorted(NEGATIONS | AROUND_NEGATIONS))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A contradiction: the pair of opposites, and the two sentences."""

    pair: str
    first: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    text: str
    sides: frozenset[tuple[str, int]]
    subject: frozenset[str]


def find_contradiction(first: str, second: str) -> Contradiction | None:
    """Return the first sentence of `first` that a sentence of `second` denies, or None.

    Sentences in both texts are skipped. Of each text the first hundred sentences with one of the opposites are
    compared.
    """
    if first == second:
        return None
    ours, theirs = _split(first), _split(second)
    shared = set(ours) & set(theirs)
    candidates = _telling(sentence for sentence in theirs if sentence not in shared)
    for sentence in _telling(sentence for sentence in ours if sentence not in shared):
        for candidate in candidates:
            if pair := _opposed(sentence, candidate):
                return Contradiction(pair=pair, first=sentence.text, second=candidate.text)
    if not NEGATIONS.intersection((*facts_of(first).bindings, *facts_of(second).bindings)):
        return None
    return _find_denial((text for text in ours if text not in shared), theirs)


def subject_terms(terms: Sequence[str]) -> list[str]:
    """Return the terms of a text without those that a contradiction may add or exchange."""
    return [term for term in terms if term not in _NOT_OF_SUBJECT]


def _find_denial(ours: Iterable[str], theirs: Iterable[str]) -> Contradiction | None:
    """Return the first of our sentences that one of theirs repeats with one negation more or less, or None."""
    stated = {(_core(words), negations(words) % 2): text for text in theirs if (words := _sequence(text))}
    for text in ours:
        words = _sequence(text)
        if denied := stated.get((_core(words), 1 - negations(words) % 2)):
            return Contradiction(pair=STATED_OR_DENIED, first=text, second=denied)
    return None


def _sequence(sentence: str) -> tuple[str, ...]:
    return facts_of(sentence).sequence


def _core(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a sentence without its negations and those that come with them."""
    return tuple(word for word in words if word not in _NOT_OF_CORE)


def _split(text: str) -> list[str]:
    return [sentence for sentence in split_sentences(text) if len(sentence) >= SENTENCE_CHARS_MIN]


def _telling(sentences: Iterable[str]) -> list[_Sentence]:
    telling: list[_Sentence] = []
    for text in sentences:
        sides = frozenset(_sides(plain_words(text)))
        if sides:
            telling.append(_Sentence(text=text, sides=sides, subject=_subject(text)))
            if len(telling) == _SENTENCES_MAX:
                break
    return telling


def plain_words(text: str) -> list[str]:
    """Return lower-case words, with "n't" as a word of its own: don't is do not."""
    words: list[str] = []
    for word in _WORD.findall(text.casefold()):
        if word.endswith("n't") or word == "cannot":
            words += [_SHORTENED.get(word, word[:-3]), "not"]
        else:
            words.append(word)
    return words


def _sides(words: list[str]) -> Iterator[tuple[str, int]]:
    """Yield the pairs that occur in a sentence, with its side of each."""
    for at, word in enumerate(words):
        if word not in SIDES:
            continue
        pair, side = SIDES[word]
        if word in _VERBS_BEFORE_NOT:
            denied = words[at + 1 : at + 2] in (["not"], ["never"])
            # In "is not allowed" the negation applies to "allowed".
            if not (denied and _next_telling(words, at + 2) in _NEGATABLE):
                yield pair, int(denied)
        elif word in _NEGATABLE and _negated(words, at):
            yield pair, 1 - side
        elif word == "always" and at and words[at - 1] == "not":
            yield pair, 1
        else:
            yield pair, side


def _negated(words: list[str], at: int) -> bool:
    for before in reversed(words[max(0, at - 3) : at]):
        if before in _NEGATIONS:
            return True
        if before not in _BETWEEN:
            return False
    return False


def _next_telling(words: list[str], at: int) -> str:
    return next((word for word in words[at : at + 3] if word not in _BETWEEN), "")


def _subject(text: str) -> frozenset[str]:
    """Return the subject of a sentence: its stems except for the opposites."""
    return frozenset(
        stem for stem in tokenize(text) if len(stem) >= _STEM_CHARS_MIN and stem not in _OPPOSITES
    )


def _opposed(first: _Sentence, second: _Sentence) -> str:
    pair = next((name for name, side in sorted(first.sides) if (name, 1 - side) in second.sides), "")
    if not pair:
        return ""
    least = min(len(first.subject), len(second.subject))
    shared = len(first.subject & second.subject)
    if not shared or shared < _SAME_SUBJECT * least:
        return ""
    return "" if differing_identities(first.text, second.text) else pair
