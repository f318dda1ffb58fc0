"""Statements of other sources that say otherwise than an answer, so that it holds for certain no more. Pure."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from frasier.llm.providers.rehearsal.cues import PEOPLE, PERSON
from frasier.llm.providers.rehearsal.doubts import (
    codes_in,
    differ,
    everywhere_in,
    may_be_later,
    says_the_same,
    subject_of,
)
from frasier.llm.providers.rehearsal.evidence import ReadSource, SourceStatement
from frasier.llm.providers.rehearsal.later_letters import Letters, replaces, takes_back
from frasier.llm.providers.rehearsal.needs import Need
from frasier.llm.providers.rehearsal.quotable import Kind
from frasier.llm.providers.rehearsal.stems import are_alike
from frasier.llm.providers.rehearsal.words import CHANGES, CLAIMED, DENIED, GONE, LEAVES, REVOKES

_SHARED_MIN = 2


class Contests:
    """Finds what other sources say of the same as a statement that answers a question, and of what is asked."""

    def __init__(self, sources: Sequence[ReadSource]) -> None:
        self._sources = {source.number: source for source in sources}
        self._everywhere = everywhere_in(sources, more_than=4)
        self._by_stem: defaultdict[str, list[SourceStatement]] = defaultdict(list)
        self._by_denied_value: defaultdict[tuple[str, object], list[SourceStatement]] = defaultdict(list)
        self._changing: defaultdict[int, list[SourceStatement]] = defaultdict(list)
        self._letters = Letters(sources)
        for source in sources:
            for one in source.evidence:
                if one.kind is not Kind.CODE and not one.is_header and not one.asks:
                    for stem in one.stems - self._everywhere:
                        self._by_stem[stem].append(one)
                    if not one.kind.is_data and any(
                        words.search(one.text) for words in (CHANGES, REVOKES, GONE)
                    ):
                        self._changing[source.number].append(one)
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
            if says_the_same(one, answer) or _repeats(one, answer):
                continue
            is_asked = _shared(terms, one) > 0 if terms else differ(answer, one)
            is_asked = is_asked or (need is not None and need.has_value(one) and _names_row(one, answer))
            if may_be_later(other, source):
                has_other_value = need is not None and _has_other_value(one, answer, need)
                may_contest = (bool(terms) and is_asked and has_other_value) or _may_say_otherwise(
                    one, answer, is_asked=is_asked
                )
            else:
                is_of_no_other_date = other is not source and not may_be_later(source, other)
                names_its_code = not codes.isdisjoint(one.labels)
                may_contest = is_asked and is_of_no_other_date and names_its_code and differ(answer, one)
            if may_contest:
                found.append(one)
        denying = [one for value in answer.values for one in self._by_denied_value.get(value, ())]
        found += [one for one in denying if may_be_later(self._sources[one.number], source)]
        found += self._further_down(answer)
        if need is not None and need.cue is PEOPLE:
            found += self._of_persons(answer, source)
        return list(dict.fromkeys((*found, *self._letters.contesting(answer, terms, need))))

    def _further_down(self, answer: SourceStatement) -> Iterator[SourceStatement]:
        """Yield what the source says further down that changes an answer: a chat, or an addendum."""
        if answer.kind is Kind.RECORD:
            return
        subject = subject_of(answer)
        for one in self._changing.get(answer.number, ()):
            if one.order > answer.order and (
                len(subject & one.stems) >= _SHARED_MIN or replaces(one, answer)
            ):
                yield one

    def _of_persons(self, answer: SourceStatement, source: ReadSource) -> Iterator[SourceStatement]:
        """Yield what later sources say of who is named in an answer, whose task may be another's now."""
        for other in self._sources.values():
            if not may_be_later(other, source):
                continue
            persons = answer.value_stems or subject_of(answer)
            is_sender = bool(answer.value_stems) and persons <= other.about_stems
            for one, following in itertools.zip_longest(other.evidence, other.evidence[1:]):
                names_person = not persons.isdisjoint(one.stems)
                if one.kind.is_data or one.asks or not (is_sender or names_person):
                    continue
                told = f"{one.text} {following.text if following and names_person else ''}"
                others = {name for name in PERSON.findall(told) if not _is_of(name, answer)}
                leaves = any(pattern.search(told) for pattern in (LEAVES, GONE, REVOKES, CHANGES))
                if leaves or (others and names_person):
                    yield one


def _repeats(statement: SourceStatement, answer: SourceStatement) -> bool:
    """Return whether a statement gives values of each kind that an answer has, no others, and only states them."""
    kinds = {kind for kind, _ in answer.values}
    given = {(kind, value) for kind, value in statement.values if kind in kinds}
    is_plain = not any(one.search(statement.text) for one in (CHANGES, REVOKES, GONE, DENIED, CLAIMED))
    is_of_all = bool(kinds) and kinds == {kind for kind, _ in given} and given <= answer.values
    return is_of_all and is_plain and answer.kind is not Kind.RECORD


def _shared(stems: Collection[str], statement: SourceStatement) -> int:
    """The number of stems that a statement has, or one like them."""
    return sum(
        one in statement.stems or any(are_alike(one, other) for other in statement.stems) for one in stems
    )


def _is_of(person: str, answer: SourceStatement) -> bool:
    return answer.stems_of(person) <= answer.stems


def _has_other_value(later: SourceStatement, answer: SourceStatement, need: Need) -> bool:
    """Return whether a statement has another value of the kind that is asked for. Two fields may be of two things."""
    is_data = later.kind.is_data and answer.kind.is_data
    return not is_data and need.has_kind and need.has_value(later) and differ(answer, later)


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
    shared = _shared(subject, later)
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
