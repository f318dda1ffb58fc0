"""Expansion of a query's unknown words: long or short forms, or corrected spellings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from frasier.kernel.tokenizer import tokenize, words_and_terms
from frasier.memory.expansion.acronyms import ACRONYMS, acronym_of, short_forms
from frasier.memory.expansion.typos import (
    TWO_EDITS_FROM,
    WORD_CHARS_MIN,
    can_be_misspelt,
    one_edit_away,
    two_edits_away,
)
from frasier.memory.lexical_search import distinct_terms
from frasier.memory.postings import TermKeys
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.expansion")

ACRONYM_SHARE = 0.5
NEAR_SHARE = 0.5
FAR_SHARE = 0.3

_CORRECTED_MAX = 5  # misspelt words of one query
_TERMS_READ = 256  # in which long forms are searched
_COUNTED = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpandedTerm:
    """A term to search for, with the word it came from. `share` is its weight, 1 for a term of the query.

    `reason` says why it was added; empty for a term of the query.
    """

    term: str
    word: str
    share: float = 1.0
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """All terms of a query, and the added ones."""

    original: tuple[ExpandedTerm, ...]
    added: tuple[ExpandedTerm, ...] = ()


async def expand(
    tx: Tx,
    scopes: Sequence[str],
    text: str,
    *,
    missing: Collection[str] | None = None,
) -> Expansion:
    """Return the terms of `text`, and alternatives for those that no memory of `scopes` holds.

    A missing acronym adds its long form and vice versa; a missing word adds the similarly spelled word that most
    memories hold. `missing` are the terms without postings, if the caller knows them. Terms of the query are always
    kept; nothing is added that no memory holds. Runs at most two statements.
    """
    requested = distinct_terms(text)
    original = tuple(ExpandedTerm(term=term, word=word) for term, word in requested.items())
    if not requested:
        return Expansion(original=original)
    if missing is None:
        missing = requested.keys() - (await _holding(tx, scopes, requested)).keys()
    lacking = {term: word for term, word in requested.items() if term in missing}
    if not lacking:
        return Expansion(original=original)
    terms = tokenize(text)[:_TERMS_READ]
    proposals: list[_Meanings | _Spellings] = [*_acronyms(terms, lacking), *_corrections(lacking)]
    held = await _holding(tx, scopes, {term.term for proposal in proposals for term in proposal.all_terms()})
    added: dict[str, ExpandedTerm] = {}
    for proposal in proposals:
        for term in proposal.chosen(held):
            if term.term not in requested:
                added.setdefault(term.term, term)
    return Expansion(original=original, added=tuple(added.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meanings:
    """The long form of an acronym, or the acronym of a long form: all terms are added."""

    terms: tuple[ExpandedTerm, ...]

    def all_terms(self) -> tuple[ExpandedTerm, ...]:
        return self.terms

    def chosen(self, held: Mapping[str, int]) -> list[ExpandedTerm]:
        return [term for term in self.terms if term.term in held]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spellings:
    """The corrections of a misspelt word: the best of those one edit away, else of those two away, is added."""

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
            alternatives = [acronym, ACRONYMS[acronym]]
            yield _Meanings(terms=_terms(alternatives, FAR_SHARE, f"{word} is spelled like {acronym}"))
    for acronym, long_form in short_forms(terms):
        if not lacking.keys().isdisjoint(long_form):
            yield _Meanings(terms=_terms([acronym], ACRONYM_SHARE, f"short for {ACRONYMS[acronym]}"))


def _nearly_an_acronym(word: str) -> str:
    """Return the acronym of at least four letters that a word misspells; shorter ones resemble too many words."""
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
    """Return each term once, with the first of its words."""
    expanded: dict[str, ExpandedTerm] = {}
    for word, term in words_and_terms(" ".join(words)):
        expanded.setdefault(term, ExpandedTerm(term=term, word=word, share=share, reason=reason))
    return tuple(expanded.values())


async def _holding(tx: Tx, scopes: Sequence[str], terms: Collection[str]) -> dict[str, int]:
    """Return the number of memories of the scopes that hold each term, for terms that any holds."""
    if not terms:
        return {}
    keys = TermKeys()
    by_key = {keys.key(scope, term): term for scope in scopes for term in terms}
    held: dict[str, int] = {}
    for row in await _sql.all(tx, "holding", keys=list(by_key), counted=_COUNTED):
        term = by_key[row["term_key"]]
        held[term] = held.get(term, 0) + row["containing"]
    return held
