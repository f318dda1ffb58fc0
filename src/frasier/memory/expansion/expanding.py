"""Other words for those of a query that nobody wrote: what they are short for, or what was meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from frasier.kernel.tokens import tokenize, words_and_terms
from frasier.memory.expansion.acronyms import ACRONYMS, acronym_of, short_forms
from frasier.memory.expansion.typos import (
    TWO_EDITS_FROM,
    WORD_CHARS_MIN,
    can_be_misspelt,
    one_edit_away,
    two_edits_away,
)
from frasier.memory.lexical import distinct_terms
from frasier.memory.postings import TermKeys
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.expansion")

ACRONYM_SHARE = 0.5
NEAR_SHARE = 0.5
FAR_SHARE = 0.3

_CORRECTED_MAX = 5  # misspelt words of one query
_TERMS_READ = 256  # in which long forms are looked for
_COUNTED = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpandedTerm:
    """A term to search for, with the word it came from. `share` is how much it counts, 1 for one that was asked for.

    `reason` says why it was added; empty for one that was asked for.
    """

    term: str
    word: str
    share: float = 1.0
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """The terms of a query, all of them, and those that were added."""

    original: tuple[ExpandedTerm, ...]
    added: tuple[ExpandedTerm, ...] = ()


async def expand(
    tx: Tx,
    scopes: Sequence[str],
    text: str,
    *,
    missing: Collection[str] | None = None,
    enabled: bool = True,
) -> Expansion:
    """The terms of `text`, and others for those of them that no memory of `scopes` holds.

    A missing acronym brings what it is short for and the other way round; a missing word that is spelled almost
    like one that is there brings the one that most memories hold. `missing` are the terms without postings where
    the caller knows them. What is asked for is always kept; nothing is added that no memory holds; not `enabled`,
    nothing is added. At most two statements.
    """
    asked = distinct_terms(text)
    original = tuple(ExpandedTerm(term=term, word=word) for term, word in asked.items())
    if not enabled or not asked:
        return Expansion(original=original)
    if missing is None:
        missing = asked.keys() - (await _holding(tx, scopes, asked)).keys()
    lacking = {term: word for term, word in asked.items() if term in missing}
    if not lacking:
        return Expansion(original=original)
    terms = tokenize(text)[:_TERMS_READ]
    proposals: list[_Meanings | _Spellings] = [*_acronyms(terms, lacking), *_corrections(lacking)]
    held = await _holding(tx, scopes, {term.term for proposal in proposals for term in proposal.all_terms()})
    added: dict[str, ExpandedTerm] = {}
    for proposal in proposals:
        for term in proposal.chosen(held):
            if term.term not in asked:
                added.setdefault(term.term, term)
    return Expansion(original=original, added=tuple(added.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meanings:
    """What a word is short for, or what is short for words: all of the terms are meant."""

    terms: tuple[ExpandedTerm, ...]

    def all_terms(self) -> tuple[ExpandedTerm, ...]:
        return self.terms

    def chosen(self, held: Mapping[str, int]) -> list[ExpandedTerm]:
        return [term for term in self.terms if term.term in held]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spellings:
    """What a misspelt word may be: one of those one edit away, else one of those farther away."""

    near: tuple[ExpandedTerm, ...]
    far: tuple[ExpandedTerm, ...]

    def all_terms(self) -> tuple[ExpandedTerm, ...]:
        return self.near + self.far

    def chosen(self, held: Mapping[str, int]) -> list[ExpandedTerm]:
        for ring in (self.near, self.far):
            if known := [term for term in ring if term.term in held]:
                return [max(known, key=lambda term: held[term.term])]
        return []


def _acronyms(terms: Sequence[str], lacking: Mapping[str, str]) -> Iterator[_Meanings]:
    for term, word in lacking.items():
        if acronym := acronym_of(word, term):
            yield _Meanings(terms=_terms([ACRONYMS[acronym]], ACRONYM_SHARE, f"{acronym} in full"))
        elif acronym := _nearly_an_acronym(word):
            meant = [acronym, ACRONYMS[acronym]]
            yield _Meanings(terms=_terms(meant, FAR_SHARE, f"{word} is spelled like {acronym}"))
    for acronym, long_form in short_forms(terms):
        if not lacking.keys().isdisjoint(long_form):
            yield _Meanings(terms=_terms([acronym], ACRONYM_SHARE, f"short for {ACRONYMS[acronym]}"))


def _nearly_an_acronym(word: str) -> str:
    """The acronym of four letters and more that a word misspells; shorter ones are near to everything."""
    if not can_be_misspelt(word):
        return ""
    near = one_edit_away(word)
    return next((acronym for acronym in ACRONYMS if len(acronym) >= WORD_CHARS_MIN and acronym in near), "")


def _corrections(lacking: Mapping[str, str]) -> Iterator[_Spellings]:
    misspelt = [
        word for term, word in lacking.items() if can_be_misspelt(word) and not acronym_of(word, term)
    ]
    for word in misspelt[:_CORRECTED_MAX]:
        reason = f"spelled like {word}"
        far = two_edits_away(word) if len(word) >= TWO_EDITS_FROM else ()
        yield _Spellings(
            near=_terms(sorted(one_edit_away(word)), NEAR_SHARE, reason),
            far=_terms(sorted(far), FAR_SHARE, reason),
        )


def _terms(words: Iterable[str], share: float, reason: str) -> tuple[ExpandedTerm, ...]:
    """Each term once, with the first of the words that give it."""
    found: dict[str, ExpandedTerm] = {}
    for word, term in words_and_terms(" ".join(words)):
        found.setdefault(term, ExpandedTerm(term=term, word=word, share=share, reason=reason))
    return tuple(found.values())


async def _holding(tx: Tx, scopes: Sequence[str], terms: Collection[str]) -> dict[str, int]:
    """How many memories of the scopes hold each term that any holds."""
    if not terms:
        return {}
    keys = TermKeys()
    by_key = {keys.key(scope, term): term for scope in scopes for term in terms}
    held: dict[str, int] = {}
    for row in await _sql.all(tx, "holding", keys=list(by_key), counted=_COUNTED):
        term = by_key[row["term_key"]]
        held[term] = held.get(term, 0) + row["containing"]
    return held
