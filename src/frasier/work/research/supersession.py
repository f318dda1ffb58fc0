"""Sources that revoke, replace or follow others: what is read of one is read beside the other.

A revocation shares few words with what it revokes, and a newer version ranks no higher than the old one, so relevance
alone separates them. Pairs are found by what a revoking passage names of another source (numbers, dates, the words of
its title), and by titles that differ in nothing but a date or a version. Pure.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import PurePosixPath

from frasier.kernel.dates import PartialDate, find_dates
from frasier.kernel.language import content_stems, language_of, words_of
from frasier.llm import Passage
from frasier.work.research.revocation_cues import revoking_sentences

_HEAD_CHARS = 300
_TARGETS_MAX = 2  # sources that one passage revokes
_SUPERSEDING_MAX = 20
_STEMS_MIN = 2
_NUMBER_MIN = 5  # digits of a number that names a source alone
_SERIES_MAX = 6  # versions of one document; more are a series of different ones, such as invoices
_COMPANIONS_MAX = 3
_LABEL = re.compile(r"(?<![\w.])(?=[\w/.-]*\d)[\w]+(?:[/.-]\w+)*")
_VERSION = re.compile(
    r"(?<![^\W\d_])(?:v|ver|version|rev|revision|stand|fassung|ausgabe|entwurf|draft|final|neu|new|old|alt|copy|kopie)"
    r"(?![^\W\d_])",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class SourceHead:
    """The names of a source: its title, its file, and its beginning."""

    number: int
    title: str
    uri: str
    opening: str

    @property
    def passage(self) -> Passage:
        return Passage(number=self.number, title=self.title, text=self.opening)

    @cached_property
    def name(self) -> str:
        return f"{self.title} {PurePosixPath(self.uri).stem}".replace("_", " ").replace("-", " ")

    @cached_property
    def terms(self) -> frozenset[str]:
        """The labels, dates and stems by which another source may name it."""
        return frozenset(
            _terms(f"{self.title}\n{PurePosixPath(self.uri).stem}\n{self.opening[:_HEAD_CHARS]}")
        )

    @cached_property
    def subject(self) -> str:
        """The words of its name that are no date and no version."""
        name = _VERSION.sub(" ", self.name)
        for date in reversed(find_dates(name)):
            name = f"{name[: date.start]} {name[date.end :]}"
        return " ".join(dict.fromkeys(content_stems(words_of(name), language_of(self.opening))))

    @cached_property
    def date(self) -> tuple[int, int, int] | None:
        """The date in its name, else the first one that it begins with."""
        for text in (self.name, self.opening[:_HEAD_CHARS]):
            if days := [
                _day(reading) for mention in find_dates(text) for reading in mention.readings if reading.year
            ]:
                return days[0]
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersession:
    """A source `old` that the source `new` revokes, replaces or follows; the passage says so, if any does."""

    old: int
    new: int
    passage: Passage | None = None


def find_supersessions(heads: Sequence[SourceHead], revoking: Sequence[Passage]) -> list[Supersession]:
    """Find which sources supersede which: by what their revoking passages name, and by their titles and dates."""
    return [*_named(heads, revoking), *_newer_versions(heads)]


@dataclass(frozen=True, eq=False)
class SupersessionIndex:
    """Index of what supersedes what among the sources of a mission, computed once for all queries."""

    heads: Sequence[SourceHead]
    revoking: Sequence[Passage]

    @cached_property
    def supersessions(self) -> Sequence[Supersession]:
        return find_supersessions(self.heads, self.revoking)

    def rank(self, query: str) -> list[Passage]:
        """Rank the passages that supersede others by what they, and what they supersede, share with a query.

        So a pair is found of which neither is among the best for the query.
        """
        wanted = _terms(query)
        scores = {
            passage: sum(self._weights[term] for term in own & wanted)
            for passage, own in self._terms_of.items()
        }
        ranked = sorted((one for one in scores if scores[one]), key=lambda one: -scores[one])
        return ranked[:_SUPERSEDING_MAX]

    @cached_property
    def _terms_of(self) -> Mapping[Passage, AbstractSet[str]]:
        """The terms of each passage that supersedes a source, and of the sources that it supersedes."""
        by_number = {head.number: head for head in self.heads}
        terms = {passage: set(_terms(passage.text)) for passage in self.revoking}
        for one in self.supersessions:
            passage = one.passage or by_number[one.new].passage
            terms.setdefault(passage, set(by_number[one.new].terms)).update(by_number[one.old].terms)
        return terms

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        return _weights(list(self._terms_of.values()))


@lru_cache(maxsize=4)
def index_supersessions(heads: tuple[SourceHead, ...], revoking: tuple[Passage, ...]) -> SupersessionIndex:
    """Return the index of these sources, kept for the rounds, steps and sections that ask for the same again."""
    return SupersessionIndex(heads, revoking)


@dataclass(frozen=True, kw_only=True, eq=False)
class Companions:
    """The passages to read together: those that belong beside one, and the order of the sources."""

    supersessions: Sequence[Supersession]
    best: Mapping[int, Passage] = field(default_factory=dict)

    def of(self, passage: Passage, *, read: Collection[int]) -> list[Passage]:
        """Return the passages to read beside one: those that revoke its source, and the best of what it revokes.

        Of the sources `read` something is read already, which has to do unless a passage of them revokes the other.
        """
        beside = []
        for one in self._of_source.get(passage.number, ()):
            if one.old == passage.number and one.passage:
                beside.append(one.passage)
                continue
            other = one.new if one.old == passage.number else one.old
            if one.passage in {None, passage} and other in self.best and other not in read:
                beside.append(self.best[other])
        return list(dict.fromkeys(beside))[:_COMPANIONS_MAX]

    def order(self, numbers: Sequence[int]) -> list[int]:
        """Order sources by number, but what supersedes one directly behind it."""
        following: defaultdict[int, list[int]] = defaultdict(list)
        for one in self.supersessions:
            if one.new not in following[one.old]:
                following[one.old].append(one.new)
        newer = {one.new for one in self.supersessions if one.old in numbers}
        ordered: dict[int, None] = {}
        for number in [*sorted(set(numbers) - newer), *sorted(numbers)]:
            _walk(number, following, set(numbers), ordered)
        return list(ordered)

    @cached_property
    def _of_source(self) -> Mapping[int, Sequence[Supersession]]:
        by_source = defaultdict(list)
        for one in self.supersessions:
            by_source[one.old].append(one)
            by_source[one.new].append(one)
        return by_source


def _walk(
    number: int, following: Mapping[int, Sequence[int]], among: set[int], ordered: dict[int, None]
) -> None:
    """Add a source and, behind it, those that supersede it."""
    if number in ordered or number not in among:
        return
    ordered[number] = None
    for newer in sorted(following.get(number, ())):
        _walk(newer, following, among, ordered)


def _named(heads: Sequence[SourceHead], revoking: Sequence[Passage]) -> Iterator[Supersession]:
    weights = _weights([head.terms for head in heads])
    naming: defaultdict[str, list[SourceHead]] = defaultdict(list)
    for head in heads:
        for term in head.terms:
            naming[term].append(head)
    for passage in revoking:
        said = _terms(revoking_sentences(passage.text))
        shared: defaultdict[SourceHead, set[str]] = defaultdict(set)
        for term in said:
            # What many sources are called names none of them.
            if len(naming[term]) <= max(2, len(heads) // 4):
                for head in naming[term]:
                    shared[head].add(term)
        scored = sorted(
            (
                (sum(weights[term] for term in terms), head.number)
                for head, terms in shared.items()
                if head.number != passage.number and _names(terms)
            ),
            key=lambda one: (-one[0], one[1]),
        )
        for _, number in scored[:_TARGETS_MAX]:
            yield Supersession(old=number, new=passage.number, passage=passage)


def _names(terms: set[str]) -> bool:
    """Whether shared terms name a source: a label or a date, or several words. A short number stands anywhere."""
    return len(terms) >= _STEMS_MIN or any(
        _is_label(term) and (len(term) >= _NUMBER_MIN or not term.isdigit()) for term in terms
    )


def _is_label(term: str) -> bool:
    return any(map(str.isdigit, term))


def _newer_versions(heads: Sequence[SourceHead]) -> Iterator[Supersession]:
    groups: defaultdict[str, list[SourceHead]] = defaultdict(list)
    for head in heads:
        if head.subject and head.date:
            groups[head.subject].append(head)
    for group in groups.values():
        in_order = sorted(group, key=lambda head: (head.date or (), head.number))
        if 1 < len(in_order) <= _SERIES_MAX and len({head.date for head in in_order}) == len(in_order):
            newest = in_order[-1]
            for head in in_order[:-1]:
                yield Supersession(old=head.number, new=newest.number)


@lru_cache(maxsize=8_192)  # every step and round of a mission asks of the same passages
def _terms(text: str) -> frozenset[str]:
    """Return the labels, dates and content stems of a text."""
    terms = set(content_stems(words_of(text.replace("_", " ")), language_of(text)))
    for mention in find_dates(text):
        terms.update("-".join(map(str, _day(reading))) for reading in mention.readings if reading.month)
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    terms.update(label.casefold() for label in _LABEL.findall(text) if len(label) > 1)
    return frozenset(terms)


def _day(date: PartialDate) -> tuple[int, int, int]:
    return date.year or 0, date.month or 0, date.day or 0


def _weights(documents: Sequence[Collection[str]]) -> Mapping[str, float]:
    """Return how telling each term is: rare ones tell most."""
    counts = Counter(term for terms in documents for term in terms)
    return defaultdict(float, {term: math.log(1 + len(documents) / count) for term, count in counts.items()})
