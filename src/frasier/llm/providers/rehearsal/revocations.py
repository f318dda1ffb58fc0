"""Statements that another one revokes, or that a later one of the same subject supersedes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from frasier.kernel.dates import DateMention
from frasier.llm.prompt_inputs import Passage
from frasier.llm.providers.rehearsal.cues import CUES, Cue
from frasier.llm.providers.rehearsal.evidence import (
    ReadSource,
    SourceStatement,
    labels_in,
    read_sources,
    without_values,
)
from frasier.llm.providers.rehearsal.quotable import Kind
from frasier.llm.providers.rehearsal.stems import is_identifier, stem, words
from frasier.llm.providers.rehearsal.words import (
    ACTIVE,
    CHANGES,
    GONE,
    PARTLY,
    POSSIBLE,
    REPLACEMENT,
    REPLACES,
    REVOKES,
)

_CAPITALISED = re.compile(r"(?<=[\s(])[^\W\d_a-z]\w{2,}")
_SHORT_CODE = re.compile(r"(?<![\w-])[^\W\d_]{1,3}-\d(?![\w-])")
_PARTS_OF_LABEL = re.compile(r"[/.-]")
_SHARED_MIN = 2
_KINDS = tuple(cue for cue in CUES if cue.has_value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Revocation:
    """The statement by which another one no longer holds: one that revokes it, or a later one that says otherwise.

    Of a record only the values of the `kinds` are revoked that the statement names; without any, all of it is.
    """

    by: SourceStatement
    is_explicit: bool
    kinds: Sequence[Cue] = ()

    def concerns(self, evidence: SourceStatement, cue: Cue | None) -> bool:
        """Return whether a statement no longer holds for a question that asks for a kind of value."""
        return not self._parts(evidence) or cue in self.kinds

    def marked(self, evidence: SourceStatement) -> str:
        """The text of a statement, with a mark at what no longer holds."""
        mark = f"{'Revoked' if self.is_explicit else 'Superseded'} by [{self.by.number}]"
        parts = self._parts(evidence)
        text = evidence.text if parts else f"{mark} – {evidence.text}"
        for part in parts:
            text = text.replace(part, f"{part} ({mark.lower()})", 1)
        return text

    def _parts(self, evidence: SourceStatement) -> list[str]:
        """The values of a record that are revoked, as they stand in its text; none where all of it is."""
        cells = [
            cell for cell in evidence.unit.cells if cell.text and f"{cell.head}: {cell.text}" in evidence.text
        ]
        revoked = [
            f"{cell.head}: {cell.text}"
            for cell in cells
            if any(map(replace(evidence, unit=replace(evidence.unit, cells=(cell,))).has, self.kinds))
        ]
        return revoked if len(revoked) < len(cells) else []


@dataclass(frozen=True, kw_only=True, eq=False)
class _Revoker:
    """A statement that revokes or changes another one, with what it names of that."""

    evidence: SourceStatement
    source: ReadSource
    text: str
    is_explicit: bool

    @cached_property
    def stems(self) -> frozenset[str]:
        return self.evidence.stems_of(self.text)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of what is gone, in a statement that says so of a thing."""
        if not GONE.search(self.text):
            return frozenset()
        return self.evidence.stems_of(" ".join(_CAPITALISED.findall(without_values(self.text))))

    @cached_property
    def labels(self) -> frozenset[str]:
        """The numbers and codes that it names."""
        return labels_in(self.text)

    @cached_property
    def codes(self) -> frozenset[str]:
        """Its labels with letters, which name a thing; what was said of a thing that was replaced may still be true."""
        is_taken_back = REVOKES.search(self.text) or GONE.search(self.text)
        return frozenset(label for label in self.labels if is_taken_back and any(map(str.isalpha, label)))

    @cached_property
    def short_codes(self) -> frozenset[str]:
        """The codes of one digit that name what is taken back."""
        is_taken_back = REVOKES.search(self.text) or GONE.search(self.text)
        return frozenset(_SHORT_CODE.findall(self.text)) if is_taken_back else frozenset()

    @cached_property
    def kinds(self) -> Sequence[Cue]:
        """The kinds of values that it names, such as a price."""
        stems = {stem(word) for word in words(self.text)}
        return [kind for kind in _KINDS if not kind.triggers.isdisjoint(stems)]

    @cached_property
    def values(self) -> frozenset[tuple[str, object]]:
        """The amounts and dates that it names."""
        return replace(self.evidence, unit=replace(self.evidence.unit, text=self.text, cells=())).values


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokedStatement:
    """The `text` of a statement of source `number` that the source `by` revokes in words."""

    number: int
    text: str
    by: int


def revoked_statements(passages: Sequence[Passage]) -> tuple[RevokedStatement, ...]:
    """Return the statements of whole sources that another one of them revokes in words, in their order."""
    sources = read_sources(passages)
    statements = {one.order: one for source in sources for one in source.evidence}
    return tuple(
        RevokedStatement(number=statements[order].number, text=statements[order].text, by=one.by.number)
        for order, one in sorted(find_revocations(sources).items())
        if one.is_explicit
    )


def find_revocations(sources: Sequence[ReadSource]) -> dict[int, Revocation]:
    """Find the statements that no longer hold, by their order, each with the one that revokes or supersedes it."""
    shared = Counter(name for source in sources for name in source.names)
    common = {name for name, count in shared.items() if count > max(2, len(sources) // 3)}
    uses = Counter(stem_ for source in sources for stem_ in {s for e in source.evidence for s in e.stems})
    everywhere = frozenset(stem_ for stem_, count in uses.items() if count > max(5, len(sources) // 3))
    revoked: dict[int, Revocation] = {}
    for source in sources:
        for revoker in _revokers(source):
            for other in sources:
                if other is source or not _is_earlier(other.date, source.date):
                    continue
                if revoker.is_explicit:
                    is_linked = bool((source.names & other.names) - common)
                    targets = _targets(revoker, other, is_linked=is_linked)
                else:
                    targets = _superseded(revoker, other, everywhere)
                for evidence in targets:
                    found = Revocation(
                        by=revoker.evidence, is_explicit=revoker.is_explicit, kinds=revoker.kinds
                    )
                    revoked[evidence.order] = max(revoked.get(evidence.order, found), found, key=_strength)
    return revoked


def _strength(revocation: Revocation) -> tuple[bool, bool]:
    """Prefer a revocation in words to a later statement, and a sentence to a subject line."""
    return revocation.is_explicit, not revocation.by.kind.is_data


def _is_earlier(date: DateMention | None, than: DateMention | None) -> bool:
    """Return whether a source may be older: sources without a date may be."""
    return date is None or than is None or day_of(date) <= day_of(than)


def day_of(date: DateMention) -> tuple[int, int, int]:
    """Return year, month and day of a date, 0 for what it leaves open."""
    reading = date.readings[0]
    return reading.year or 0, reading.month or 0, reading.day or 0


def _revokers(source: ReadSource) -> Iterator[_Revoker]:
    for evidence in source.evidence:
        if evidence.kind is Kind.CODE or evidence.asks:
            continue
        patterns = () if PARTLY.search(evidence.text) else (REVOKES, REPLACES, GONE)
        if match := next(filter(None, (one.search(evidence.text) for one in patterns)), None):
            if not POSSIBLE.search(evidence.text[: match.start()]):
                yield _Revoker(
                    evidence=evidence, source=source, text=_object_of(evidence.text, match), is_explicit=True
                )
        elif CHANGES.search(evidence.text):
            yield _Revoker(evidence=evidence, source=source, text=evidence.text, is_explicit=False)


def _object_of(text: str, match: re.Match[str]) -> str:
    """The part of a statement that names what it revokes, without what comes in its place."""
    if active := ACTIVE.search(text):
        return text[active.start() :]
    return text[: match.end()] + REPLACEMENT.sub("", text[match.end() :])


def _targets(revoker: _Revoker, source: ReadSource, *, is_linked: bool) -> Iterator[SourceStatement]:
    """The statements of an earlier source that a revoker is about, of the kinds that it names."""
    is_dated = source.date is not None and ("date", source.date.readings[0]) in revoker.values
    names_source = (is_linked and is_dated) or bool(revoker.labels & source.labels)
    is_telling = revoker.codes or revoker.short_codes or revoker.values or revoker.names
    if not (names_source or is_linked or is_telling):
        return
    of_source = (part for label in revoker.source.labels for part in _PARTS_OF_LABEL.split(label))
    numbers = {label for label in (*revoker.labels, *of_source) if label.isdigit() and is_identifier(label)}
    numbered = {label for one in source.evidence for label in one.labels} & numbers
    for evidence in source.evidence:
        if numbered and evidence.kind is Kind.RECORD and numbered.isdisjoint(evidence.labels):
            continue  # the number of one row is not about the others
        if revoker.codes:
            # What names a thing by its code is about no other one.
            is_named = names_source or not revoker.codes.isdisjoint(evidence.labels)
        else:
            is_named = (
                names_source
                or _has_value(revoker, evidence, is_linked=is_linked)
                or (is_linked and _has_items(revoker, evidence, source))
                or _is_gone(revoker, evidence)
                or (evidence.kind is Kind.RECORD and _has_short_code(revoker, evidence))
            )
        if is_named and (not revoker.kinds or any(map(evidence.has, revoker.kinds))):
            yield evidence


def _has_value(revoker: _Revoker, evidence: SourceStatement, *, is_linked: bool) -> bool:
    """Return whether a statement has an amount that a revoker names, or a date with one of its words."""
    common = revoker.values & evidence.values
    dates = {value for value in common if value[0] == "date"}
    shares = not revoker.stems.isdisjoint(evidence.subject_stems)
    return bool((common - dates and is_linked) or (common and shares))


def _has_short_code(revoker: _Revoker, evidence: SourceStatement) -> bool:
    """Return whether a record has a code of one digit, such as "W-4", that a revoker names."""
    return not revoker.short_codes.isdisjoint(_SHORT_CODE.findall(evidence.text))


def _is_gone(revoker: _Revoker, evidence: SourceStatement) -> bool:
    """Return whether a statement is about the thing that is gone: by its name and another word of the revoker."""
    named = revoker.names & evidence.stems
    return bool(named) and len(revoker.evidence.subject_stems & evidence.stems) >= _SHARED_MIN


def _has_items(revoker: _Revoker, evidence: SourceStatement, source: ReadSource) -> bool:
    """Return whether a statement is about the things that the revoker names, as far as its source has them."""
    if not revoker.kinds or revoker.values:
        return False
    triggers = frozenset().union(*(kind.triggers for kind in revoker.kinds))
    items = {
        stem_
        for stem_ in revoker.stems - triggers
        if stem_ not in source.about_stems and any(stem_ in other.stems for other in source.evidence)
    }
    return items <= evidence.stems | evidence.heading_stems


def _superseded(
    revoker: _Revoker, source: ReadSource, everywhere: frozenset[str]
) -> Iterator[SourceStatement]:
    """The statements of the same subject with other values of the same kind; words that are `everywhere` tell none."""
    date, later = source.date, revoker.source.date
    if date is None or later is None or day_of(date) >= day_of(later):
        return
    subject = revoker.evidence.subject_stems - everywhere
    for evidence in source.evidence:
        own = evidence.subject_stems
        shared = subject & (own | evidence.heading_stems)
        is_same = len(shared) >= _SHARED_MIN or (shared and len(shared & own) * 2 >= len(own))
        if is_same and not evidence.asks and _differ(revoker.evidence, evidence):
            yield evidence


def _differ(later: SourceStatement, earlier: SourceStatement) -> bool:
    """Return whether an earlier statement has a value that a later one gives otherwise, in the same kind."""
    new, old = later.values, earlier.values
    gone = {kind for kind, _ in old - new}
    return not gone.isdisjoint(kind for kind, _ in new - old)
