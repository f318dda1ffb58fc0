"""Statements that a later source may have changed: too doubtful to be given, and not certain enough to be revoked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from frasier.llm.providers.rehearsal.evidence import ReadSource, SourceStatement
from frasier.llm.providers.rehearsal.quotable import Kind
from frasier.llm.providers.rehearsal.revocation_words import (
    CHANGES,
    CORRECTION,
    DRAFT,
    GONE,
    OLD,
    REPLACES,
    REVOKES,
)
from frasier.llm.providers.rehearsal.revocations import day_of
from frasier.llm.providers.rehearsal.stems import is_identifier, is_kin

_SHARED_MIN = 2
_DIGITS_OF_CODE_MIN = 4
_VERSION_PARTS = re.compile(r"\d+|[^\W\d_]+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def find_doubts(sources: Sequence[ReadSource]) -> frozenset[int]:
    """Find the statements, by their order, of which a later source says something else or that it may have changed."""
    uses = Counter(stem for source in sources for stem in {s for one in source.evidence for s in one.stems})
    everywhere = frozenset(stem for stem, count in uses.items() if count > max(3, len(sources) // 3))
    return frozenset(
        one.order
        for later in sources
        for earlier in sources
        if later is not earlier
        for one in _doubtful(earlier, later, everywhere)
    )


def _doubtful(
    earlier: ReadSource, later: ReadSource, everywhere: frozenset[str]
) -> Iterator[SourceStatement]:
    if _is_older_version(earlier, later):
        yield from earlier.evidence
    elif _may_be_later(later, earlier):
        is_dated = earlier.date is not None
        for news in _news(later):
            for one in earlier.evidence:
                if not news.says_the_same(one) and (
                    news.is_about_thing(one, earlier, everywhere)
                    or (is_dated and news.may_change(one, everywhere))
                ):
                    yield one


def _may_be_later(later: ReadSource, earlier: ReadSource) -> bool:
    """Return whether a source may change another one: it bears a later date, or is called a correction."""
    if _corrects(later) and not _corrects(earlier):
        return True
    return later.date is not None and (earlier.date is None or day_of(earlier.date) < day_of(later.date))


def _corrects(source: ReadSource) -> bool:
    return CORRECTION.search(source.about.replace("_", " ")) is not None


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
        self.labels = _codes(own) or _identifiers(source.labels)
        text = statement.text
        is_change = any(words.search(text) for words in (CHANGES, REVOKES, REPLACES, GONE))
        self.changes = not statement.asks and (is_change or _corrects(source))

    def says_the_same(self, earlier: SourceStatement) -> bool:
        """Return whether all values of an earlier statement stand in this one, too."""
        return bool(earlier.values) and earlier.values <= self.statement.values

    def is_about_thing(
        self, earlier: SourceStatement, source: ReadSource, everywhere: frozenset[str]
    ) -> bool:
        """Return whether it speaks of the same as an earlier statement, of one thing that both name by a number."""
        labels = _codes(earlier.labels) | _identifiers(source.labels)
        if self.labels.isdisjoint(labels):
            return False
        mine = self.statement.head_stems or self.statement.stems
        is_same = any(is_kin(head, one) for head in earlier.head_stems for one in mine if not one.isdigit())
        shares = not (_subject_of(self.statement) & _subject_of(earlier)) <= everywhere
        is_text = Kind.RECORD not in {self.statement.kind, earlier.kind}
        return self.changes or (is_same and self._differs(earlier)) or (shares and is_text)

    def may_change(self, earlier: SourceStatement, everywhere: frozenset[str]) -> bool:
        """Return whether it changes something, and shares enough of its subject with an earlier statement."""
        if not self.changes:
            return False
        own = _subject_of(earlier) - everywhere
        shared = self.stems & own
        about = self.names & own
        return len(shared) >= _SHARED_MIN or bool(shared and about - shared)

    def _differs(self, earlier: SourceStatement) -> bool:
        mine, other = self.statement.values, earlier.values
        kinds = {kind for kind, _ in mine - other} & {kind for kind, _ in other - mine}
        return bool(kinds) or not other


def _subject_of(statement: SourceStatement) -> frozenset[str]:
    """The words of a statement; of a record those of its values, as the names of its columns stand in every row."""
    return statement.value_stems if statement.kind is Kind.RECORD else statement.subject_stems


def _news(source: ReadSource) -> Iterator[_News]:
    before: SourceStatement | None = None
    for one in source.evidence:
        goes_on = before is not None and one.unit.lines[0] - before.unit.lines[1] <= 0
        if one.kind is not Kind.CODE and not one.is_header:
            yield _News(one, before if goes_on else None, source)
        before = None if one.kind in {Kind.CODE, Kind.RECORD} else one


def _codes(labels: frozenset[str]) -> frozenset[str]:
    """The labels that can hardly be quantities."""
    return frozenset(
        label
        for label in _identifiers(labels)
        if any(map(str.isalpha, label)) or (label.isdigit() and len(label) >= _DIGITS_OF_CODE_MIN)
    )


def _identifiers(labels: frozenset[str]) -> frozenset[str]:
    return frozenset(label for label in labels if is_identifier(label))


def _is_older_version(source: ReadSource, other: ReadSource) -> bool:
    """Return whether a source is a draft, or another one bears its name with a later year, or without "old"."""
    if DRAFT.search(f"{source.title} {source.file}"):
        return not DRAFT.search(f"{other.title} {other.file}")
    names = [
        (_name(mine), _name(theirs), mine, theirs)
        for mine, theirs in ((source.title, other.title), (source.file, other.file))
    ]
    return any(
        mine
        and theirs
        and (
            (theirs <= mine and _is_old(name) and not _is_old(other_name))
            or (mine == theirs and 0 < _year_of(name) < _year_of(other_name))
        )
        for mine, theirs, name, other_name in names
    )


def _name(title: str) -> frozenset[str]:
    plain = OLD.sub(" ", _YEAR.sub(" ", re.sub(r"\([^()]*\)|\.\w{2,4}$", " ", title)))
    return frozenset(part.lower() for part in _VERSION_PARTS.findall(plain))


def _is_old(title: str) -> bool:
    return OLD.search(title) is not None


def _year_of(title: str) -> int:
    """The last year in a title, 0 where it has none."""
    return max(map(int, _YEAR.findall(title)), default=0)
