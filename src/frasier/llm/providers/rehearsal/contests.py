"""Statements of other sources that say otherwise than an answer, so that it holds for certain no more. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from frasier.llm.providers.rehearsal.doubts import (
    codes_in,
    differ,
    everywhere_in,
    may_be_later,
    says_the_same,
    subject_of,
)
from frasier.llm.providers.rehearsal.evidence import ReadSource, SourceStatement
from frasier.llm.providers.rehearsal.later_letters import Letters, takes_back
from frasier.llm.providers.rehearsal.needs import Need
from frasier.llm.providers.rehearsal.quotable import Kind
from frasier.llm.providers.rehearsal.revocation_words import CHANGES, DENIED

_SHARED_MIN = 2


class Contests:
    """Finds what other sources say of the same as a statement that answers a question, and of what is asked."""

    def __init__(self, sources: Sequence[ReadSource]) -> None:
        self._sources = {source.number: source for source in sources}
        self._everywhere = everywhere_in(sources, more_than=4)
        self._by_stem: defaultdict[str, list[SourceStatement]] = defaultdict(list)
        self._by_denied_value: defaultdict[tuple[str, object], list[SourceStatement]] = defaultdict(list)
        self._letters = Letters(sources)
        for source in sources:
            for one in source.evidence:
                if one.kind is not Kind.CODE and not one.is_header and not one.asks:
                    for stem in one.stems - self._everywhere:
                        self._by_stem[stem].append(one)
                    for value in _denied_values(one):
                        self._by_denied_value[value].append(one)

    def contesting(
        self, answer: SourceStatement, terms: Collection[str], need: Need | None = None
    ) -> Sequence[SourceStatement]:
        """Return the statements that share a word with the `terms` of the question, and may say otherwise.

        These are later ones that share words with the answer, those of no other date about a thing that both name by a
        code, with other values of the same kind, and those of later letters about its source.
        """
        subject, codes, source = subject_of(answer), codes_in(answer.labels), self._sources[answer.number]
        telling = (subject | answer.stems_of(" ".join(codes))) - self._everywhere
        sharing = {one.order: one for stem in telling for one in self._by_stem.get(stem, ())}
        found = []
        for one in sharing.values():
            other = self._sources[one.number]
            if says_the_same(one, answer):
                continue
            is_asked = not one.stems.isdisjoint(terms) if terms else differ(answer, one)
            is_asked = is_asked or (need is not None and need.has_value(one) and _names_row(one, answer))
            if may_be_later(other, source):
                found += [one] * _may_say_otherwise(one, answer, is_asked=is_asked)
            elif is_asked and other is not source and not may_be_later(source, other):
                found += [one] * (not codes.isdisjoint(one.labels) and differ(answer, one))
        denying = [one for value in answer.values for one in self._by_denied_value.get(value, ())]
        found += [one for one in denying if may_be_later(self._sources[one.number], source)]
        return list(dict.fromkeys((*found, *self._letters.contesting(answer, terms, need))))


def _may_say_otherwise(later: SourceStatement, answer: SourceStatement, *, is_asked: bool) -> bool:
    """Return whether a later statement takes back the row of an answer, or speaks of the same where that is asked for.

    Two fields or rows may be of two things.
    """
    if _names_row(later, answer):
        is_other = differ(answer, later) or not answer.value_stems <= later.stems
        if (is_asked and is_other) or takes_back(later) or CHANGES.search(later.text):
            return True
    if not is_asked or (later.kind.is_data and answer.kind.is_data):
        return False
    subject = subject_of(answer)
    shared = len(subject & later.stems)
    return shared >= _SHARED_MIN or (0 < shared == len(subject) and differ(answer, later))


def _names_row(statement: SourceStatement, row: SourceStatement) -> bool:
    """Return whether a sentence or field has all words of the first value of a row, or of one of several words."""
    if statement.kind is Kind.RECORD:
        return False
    for at, cell in enumerate(row.unit.cells):
        stems = {stem for stem in row.stems_of(cell.text) if not stem.isdigit()}
        if len(stems) >= (_SHARED_MIN if at else 1) and stems <= statement.stems:
            return True
    return False


def _denied_values(statement: SourceStatement) -> frozenset[tuple[str, object]]:
    """The values of a statement that denies something, of which it may be one: "it does not open on 9 May"."""
    is_denial = not statement.kind.is_data and DENIED.search(statement.text) is not None
    return statement.values if is_denial else frozenset()
