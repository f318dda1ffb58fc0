"""Statements that a later source may have changed: too doubtful to be given, and not certain enough to be revoked."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from frasier.llm.providers.rehearsal.dated_sections import earlier_entries
from frasier.llm.providers.rehearsal.evidence import ReadSource, SourceStatement
from frasier.llm.providers.rehearsal.quotable import Kind
from frasier.llm.providers.rehearsal.revocations import day_of
from frasier.llm.providers.rehearsal.stems import is_identifier, is_kin
from frasier.llm.providers.rehearsal.words import (
    CHANGES,
    CORRECTION,
    DRAFT,
    GONE,
    OLD,
    PARTLY,
    REPLACES,
    REVOKES,
)

_SHARED_MIN = 2
_DIGITS_OF_CODE_MIN = 4
_VERSION_PARTS = re.compile(r"\d+|[^\W\d_]+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def find_doubts(sources: Sequence[ReadSource]) -> frozenset[int]:
    """Find the statements, by their order, of which a later source says something else or that it may have changed."""
    everywhere = everywhere_in(sources)
    doubtful: set[int] = set()
    statements = _Statements(sources, everywhere)
    for source in sources:
        doubtful.update(one.order for one in earlier_entries(source))
    for later in sources:
        for news in _news(later):
            doubtful.update(
                one.statement.order
                for one in statements.sharing(news)
                if news.takes_back(one, later)
                or (
                    may_be_later(later, one.source)
                    and not news.says_the_same(one.statement)
                    and (
                        news.is_about_thing(one, everywhere)
                        or news.names_its_value(one)
                        or (one.source.date is not None and news.may_change(one, everywhere))
                    )
                )
            )
    return frozenset(doubtful)


def says_the_same(later: SourceStatement, earlier: SourceStatement) -> bool:
    """Return whether a statement has all values of an earlier one; "from 18 May to 8 June" says that one is gone."""
    added = {kind for kind, _ in later.values - earlier.values}
    is_change = CHANGES.search(later.text) is not None and not added.isdisjoint(k for k, _ in earlier.values)
    return bool(earlier.values) and earlier.values <= later.values and not is_change


def differ(first: SourceStatement, second: SourceStatement) -> bool:
    """Return whether two statements have other values of the same kind."""
    only_first, only_second = first.values - second.values, second.values - first.values
    return not {kind for kind, _ in only_first}.isdisjoint(kind for kind, _ in only_second)


def everywhere_in(sources: Sequence[ReadSource], more_than: int = 3) -> frozenset[str]:
    """The stems that stand in more than a third of the sources, and tell no statement from others."""
    uses = Counter(stem for source in sources for stem in {s for one in source.evidence for s in one.stems})
    return frozenset(stem for stem, count in uses.items() if count > max(more_than, len(sources) // 3))


def may_be_later(later: ReadSource, earlier: ReadSource) -> bool:
    """Return whether a source may change another one: it bears a later date, or is called a correction."""
    if later is earlier:
        return False
    if _corrects(later.about) and not _corrects(earlier.about):
        return True
    return later.date is not None and (earlier.date is None or day_of(earlier.date) < day_of(later.date))


@lru_cache(maxsize=4_096)
def _corrects(about: str) -> bool:
    return CORRECTION.search(about.replace("_", " ")) is not None


@dataclass(frozen=True, slots=True)
class _Earlier:
    """A statement that others may change, with the labels of the thing that it is about, and its subject."""

    source: ReadSource
    statement: SourceStatement
    labels: frozenset[str]
    subject: frozenset[str]


class _Statements:
    """All statements by their labels and the words of their subjects, so that not every pair has to be compared."""

    def __init__(self, sources: Sequence[ReadSource], everywhere: frozenset[str]) -> None:
        self._by_label: defaultdict[str, list[_Earlier]] = defaultdict(list)
        self._by_stem: defaultdict[str, list[_Earlier]] = defaultdict(list)
        self._by_value: defaultdict[tuple[str, object], list[_Earlier]] = defaultdict(list)
        for source in sources:
            of_source = _identifiers(source.labels)
            for statement in source.evidence:
                labels = codes_in(statement.labels) | of_source
                one = _Earlier(source, statement, labels, subject_of(statement))
                for label in labels:
                    self._by_label[label].append(one)
                for stem in one.subject - everywhere:
                    self._by_stem[stem].append(one)
                for value in statement.values:
                    self._by_value[value].append(one)

    def sharing(self, news: _News) -> Iterable[_Earlier]:
        """Return the statements that share a label with a later one or, if that changes something, a word or value."""
        found = {one.statement.order: one for label in news.labels for one in self._by_label.get(label, ())}
        if news.changes:
            found |= {one.statement.order: one for stem in news.stems for one in self._by_stem.get(stem, ())}
            values = news.statement.values
            found |= {one.statement.order: one for value in values for one in self._by_value.get(value, ())}
        return found.values()


class _News:
    """A statement of a later source, with what it may be about."""

    def __init__(
        self, statement: SourceStatement, before: SourceStatement | None, source: ReadSource
    ) -> None:
        self.statement = statement
        # "Mill Road is dug up. We pick you up at the pool instead."
        self.stems = statement.subject_stems | (before.subject_stems if before else frozenset())
        self.names = source.names
        own = statement.labels | (before.labels if before else frozenset())
        self.labels = codes_in(own) or _identifiers(source.labels)
        text = statement.text
        is_change = any(words.search(text) for words in (CHANGES, REVOKES, REPLACES, GONE))
        self.changes = not statement.asks and (is_change or _corrects(source.about))

    def says_the_same(self, earlier: SourceStatement) -> bool:
        """Return whether all values of an earlier statement stand in this one, too, and no change to another one."""
        return says_the_same(self.statement, earlier)

    def is_about_thing(self, earlier: _Earlier, everywhere: frozenset[str]) -> bool:
        """Return whether it speaks of the same as an earlier statement, of one thing that both name by a number."""
        if self.labels.isdisjoint(earlier.labels):
            return False
        other = earlier.statement
        mine = self.statement.head_stems or self.statement.stems
        is_same = any(is_kin(head, one) for head in other.head_stems for one in mine if not one.isdigit())
        shares = not (subject_of(self.statement) & earlier.subject) <= everywhere
        is_text = Kind.RECORD not in {self.statement.kind, other.kind}
        return self.changes or (is_same and self._differs(other)) or (shares and is_text)

    def takes_back(self, other: _Earlier, source: ReadSource) -> bool:
        """Return whether it says of a thing, by a code that a statement has too, that it is gone, whatever their dates.

        The date in the name of a file may be that of its subject.
        """
        if source is other.source or not self._says_gone:
            return False
        codes = codes_in(self.statement.labels) & codes_in(other.statement.labels)
        return any(any(map(str.isalpha, code)) for code in codes)

    @cached_property
    def _says_gone(self) -> bool:
        text = self.statement.text
        return bool(REVOKES.search(text) or GONE.search(text)) and not PARTLY.search(text)

    def names_its_value(self, earlier: _Earlier) -> bool:
        """Return whether it changes something, and names a word of a statement and its value beside another one."""
        other, values = earlier.statement, self.statement.values
        old, new = values & other.values, values - other.values
        is_replaced = not {kind for kind, _ in old}.isdisjoint(kind for kind, _ in new)
        return self.changes and is_replaced and not self.stems.isdisjoint(other.stems)

    def may_change(self, earlier: _Earlier, everywhere: frozenset[str]) -> bool:
        """Return whether it changes something, and shares enough of its subject with an earlier statement."""
        if not self.changes:
            return False
        own = earlier.subject - everywhere
        shared = self.stems & own
        about = self.names & own
        return len(shared) >= _SHARED_MIN or bool(shared and about - shared)

    def _differs(self, earlier: SourceStatement) -> bool:
        return not earlier.values or differ(self.statement, earlier)


def subject_of(statement: SourceStatement) -> frozenset[str]:
    """The words of a statement; of a record those of its values, as the names of its columns stand in every row."""
    return statement.value_stems if statement.kind is Kind.RECORD else statement.subject_stems


def _news(source: ReadSource) -> Iterator[_News]:
    before: SourceStatement | None = None
    for one in source.evidence:
        goes_on = before is not None and one.unit.lines[0] - before.unit.lines[1] <= 0
        if one.kind is not Kind.CODE and not one.is_header:
            yield _News(one, before if goes_on else None, source)
        before = None if one.kind in {Kind.CODE, Kind.RECORD} else one


def codes_in(labels: frozenset[str]) -> frozenset[str]:
    """The labels that can hardly be quantities."""
    return frozenset(
        label
        for label in _identifiers(labels)
        if any(map(str.isalpha, label)) or (label.isdigit() and len(label) >= _DIGITS_OF_CODE_MIN)
    )


def _identifiers(labels: frozenset[str]) -> frozenset[str]:
    return frozenset(label for label in labels if is_identifier(label))


def older_versions(sources: Sequence[ReadSource]) -> Iterator[ReadSource]:
    """Yield the drafts, and the sources whose name another one bears with a later year, or without "old"."""
    drafts = {source.number for source in sources if DRAFT.search(f"{source.title} {source.file}")}
    if len(drafts) < len(sources):
        yield from (source for source in sources if source.number in drafts)
    finals = [source for source in sources if source.number not in drafts]
    for spelling in ("title", "file"):
        titles = {source.number: getattr(source, spelling) for source in sources}
        names = {number: _name(title) for number, title in titles.items()}
        newest: defaultdict[frozenset[str], int] = defaultdict(int)
        for number, name in names.items():
            newest[name] = max(newest[name], _year_of(titles[number]))
        current = [names[number] for number in names if names[number] and not _is_old(titles[number])]
        for source in finals:
            name, title = names[source.number], titles[source.number]
            is_superseded = name and 0 < _year_of(title) < newest[name]
            if is_superseded or (name and _is_old(title) and any(one <= name for one in current)):
                yield source


def _name(title: str) -> frozenset[str]:
    plain = OLD.sub(" ", _YEAR.sub(" ", re.sub(r"\([^()]*\)|\.\w{2,4}$", " ", title)))
    return frozenset(part.lower() for part in _VERSION_PARTS.findall(plain))


def _is_old(title: str) -> bool:
    return OLD.search(title) is not None


def _year_of(title: str) -> int:
    """The last year in a title, 0 where it has none."""
    return max(map(int, _YEAR.findall(title)), default=0)
