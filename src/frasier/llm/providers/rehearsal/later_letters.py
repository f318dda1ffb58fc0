"""Letters about a document: later sources whose head names it, and what they say otherwise than an answer. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal

from frasier.kernel.language import without_accents
from frasier.llm.providers.rehearsal.cues import PEOPLE
from frasier.llm.providers.rehearsal.doubts import differ, may_be_later, says_the_same, subject_of
from frasier.llm.providers.rehearsal.evidence import ReadSource, SourceStatement
from frasier.llm.providers.rehearsal.needs import Need
from frasier.llm.providers.rehearsal.quotable import Kind
from frasier.llm.providers.rehearsal.stems import are_alike, keywords, words
from frasier.llm.providers.rehearsal.words import DENIED, EACH, GONE, REVOKES, WAIVED

_NAME_CHARS_MIN = 4


class Letters:
    """Finds what letters about the source of an answer say otherwise.

    A letter is about a source if it is later and has in its head (title, file, subject and the like) all words of the
    title, the file or the subject of that; or if its subject has only words of that or of the name of the field.
    """

    def __init__(self, sources: Sequence[ReadSource]) -> None:
        self._sources = {source.number: source for source in sources}
        self._naming: dict[int, Sequence[int]] = {}
        self._kin: dict[str, set[int]] = {}
        subjects = {
            source.number: keywords(
                without_accents(source.subject), next((one.language for one in source.evidence), None)
            )
            for source in sources
            if source.subject
        }
        self._subjects = {number: spelled for number, spelled in subjects.items() if spelled}
        self._by_word: defaultdict[str, set[int]] = defaultdict(set)
        for source in sources:
            for word in _words_of_name(source.about):
                self._by_word[word].add(source.number)

    def contesting(
        self, answer: SourceStatement, terms: Collection[str], need: Need | None
    ) -> Iterator[SourceStatement]:
        """Yield the statements that give another value, take the answer back, or may answer the question, too."""
        source = self._sources[answer.number]
        named = {*self._named_by(source), *self._with_subject(source, answer)} - {source.number}
        for number in sorted(named):
            later = self._sources[number]
            for one in later.evidence if may_be_later(later, source) else ():
                is_text = one.kind not in {Kind.CODE, Kind.RECORD} and not one.is_header and not one.asks
                if not is_text or says_the_same(one, answer):
                    continue
                if _changes(one, answer) or (need and _may_answer(one, answer, terms, need)):
                    yield one

    def _named_by(self, source: ReadSource) -> Sequence[int]:
        """The sources whose title, file or head has all words of the title or the file of a source."""
        if source.number not in self._naming:
            named: set[int] = set()
            for name in (source.title, source.file.rpartition(".")[0], source.subject):
                spelled = _words_of_name(name)
                if any(word.isalpha() and len(word) >= _NAME_CHARS_MIN for word in spelled):
                    named |= set.intersection(*map(self._speaking_of, spelled))
            self._naming[source.number] = sorted(named)
        return self._naming[source.number]

    def _with_subject(self, source: ReadSource, answer: SourceStatement) -> Iterator[int]:
        """Yield the mails whose subject has only words of the title, the file, and the name of a field."""
        heads = [cell.head for cell in answer.unit.fields] if answer.kind is Kind.FIELD else []
        known = _words_of_name(" ".join((source.title, source.file.rpartition(".")[0], *heads)))
        for number, subject in self._subjects.items():
            if all(any(are_alike(word, one) for one in known) for word in subject):
                yield number

    def _speaking_of(self, word: str) -> set[int]:
        """The sources whose head has a word, or one that begins or ends with it."""
        if word not in self._kin:
            kin = (numbers for one, numbers in self._by_word.items() if are_alike(one, word))
            self._kin[word] = set().union(*kin)
        return self._kin[word]


def _words_of_name(name: str) -> list[str]:
    """The words of a title or file, in which accents may be missing."""
    return list(words(without_accents(name).replace("_", " ")))


def _changes(later: SourceStatement, answer: SourceStatement) -> bool:
    """Return whether a statement of a letter about the source of an answer gives another value, or takes it back."""
    is_named = _is_named_in(later, answer)
    if answer.kind is Kind.RECORD:  # of its many rows
        return is_named and EACH.search(later.text) is not None
    return differ(answer, later) or replaces(later, answer) or (is_named and takes_back(later))


def _may_answer(later: SourceStatement, answer: SourceStatement, terms: Collection[str], need: Need) -> bool:
    """Return whether a statement of a letter about the source of an answer may answer the question, too.

    It has another figure, where one is asked for, or for a name or in words a word of the question or the answer.
    """
    if answer.kind is Kind.RECORD:
        return False
    if need.has_kind and need.cue is not PEOPLE:
        return need.has_value(later) and not _figures(later) <= _figures(answer)
    return any(are_alike(mine, other) for mine in (*subject_of(answer), *terms) for other in later.stems)


def _figures(statement: SourceStatement) -> frozenset[Decimal]:
    return frozenset(one.base_values[0] for one in statement.unit.quantities)


def replaces(later: SourceStatement, answer: SourceStatement) -> bool:
    """Return whether a statement has the values of an answer beside those that come in their place."""
    return bool(answer.values) and answer.values <= later.values and not says_the_same(later, answer)


def takes_back(later: SourceStatement) -> bool:
    """Return whether a statement denies, revokes or gives up something: "we waive the fee"."""
    return any(pattern.search(later.text) for pattern in (REVOKES, GONE, DENIED, WAIVED))


def _is_named_in(later: SourceStatement, answer: SourceStatement) -> bool:
    """Return whether a statement has a word like the name of a value of an answer."""
    return any(are_alike(mine, other) for mine in answer.head_stems for other in later.stems)
