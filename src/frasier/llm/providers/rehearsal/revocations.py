"""Statements that another one revokes, or that a later one of the same subject supersedes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from frasier.kernel.dates import DateMention, find_dates
from frasier.kernel.source_units import SourceUnit, masked_dates
from frasier.llm.providers.rehearsal.cues import CUES, Cue
from frasier.llm.providers.rehearsal.evidence import ReadSource, SourceStatement
from frasier.llm.providers.rehearsal.quotable import Kind
from frasier.llm.providers.rehearsal.stems import spelled, stem, words

_REVOKES = re.compile(
    r"\b(?:revok(?:e|es|ed|ing)|withdraw(?:s|n|ing)?|withdrew|supersed(?:e|es|ed)|rescind(?:s|ed)?|"
    r"cancel(?:s|led|ed)?|void|invalid|obsolete|replac(?:e|es|ed|ing)|"
    r"no longer (?:valid|applies|apply|holds?|stands?|offered|available|in force|correct|made)|"
    r"not (?:valid|in force) any ?more|"
    r"widerruf\w*|widerrief\w*|zurückgezogen|ziehen\b[^.]*\bzurück|zurückziehen|ersetz(?:t|en)|ungültig|storniert?|"
    r"aufgehoben|hinfällig|(?:gilt|gelten)\b[^.]*\bnicht mehr|nicht mehr (?:gültig|verfügbar)|"
    r"annul\w*|révoqu\w*|retir(?:e|ons|ée?s?|er)|remplac\w*|(?:n['’]est|ne sont) plus\b|caduque?s?|"
    r"anula\w*|revoca\w*|retira\w*|reemplaz\w*|sustituy\w*|sustituid\w*|sin efecto|"
    r"ya no (?:es|son|está|están|vale|valen|rige|rigen)\b[^.]*)(?!\w)",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:(?:moved|lowered|raised|increased|reduced|cut|extended|changed|shortened|put off) (?:\w+ ){0,2}to|"
    r"postponed|brought forward|rescheduled|correct(?:ed|ion)|instead(?: of)?|revised|amended|"
    r"verschoben|verlegt|vorgezogen|berichtigt|korrigiert|statt|stattdessen|(?:geändert|erhöht|gesenkt|verlängert) auf|"
    r"(?:auf [^.;]{1,30} (?:geändert|erhöht|gesenkt|verlängert))|"
    r"report[ée]e?s?|avancée?s? au|corrigée?s?|rectifiée?s?|prolongée?s?|portée?s? à|ramenée?s? à|au lieu|"
    r"aplazad\w|pospuest\w|adelantad\w|corregid\w|rectificad\w|prorrogad\w|ampliad\w|rebajad\w|en lugar|en vez)(?!\w)",
    re.IGNORECASE,
)
# A thing that can no longer be had: what was said of it before does not hold.
_GONE = re.compile(
    r"\b(?:is|are|was|were|has been|have been|remains?|stays?|had to|ist|sind|wird|wurde|bleibt|"
    r"musste|est|sont|a été|reste|"
    r"es|está|están|queda|ha sido|fue)\b(?:\s+\w+){0,3}?\s+(?:closed|cancel(?:led|ed)?|discontinued|"
    r"unavailable|sold out|taken|"
    r"withdraw|resign|geschlossen|ausverkauft|vergriffen|eingestellt|abgesagt|absagen|ausgefallen|entfallen|fermée?s?|"
    r"épuisée?s?|annulée?s?|supprimée?s?|cerrad[oa]s?|agotad[oa]s?|cancelad[oa]s?|suspendid[oa]s?)(?!\w)",
    re.IGNORECASE,
)
# "may be cancelled" cancels nothing.
_POSSIBLE = re.compile(
    r"\b(?:can|cannot|may|might|could|must|shall|should|if|unless|when|to be|not|never|kann|können|"
    r"darf|wenn|falls|sofern|"
    r"nicht|peut|peuvent|si|sauf|puede|pueden|podrá|salvo)\b(?:\s+\w+){0,4}\s*$",
    re.IGNORECASE,
)
_ACTIVE = re.compile(
    r"\b(?:replac(?:es|ing)|supersed(?:es|ing)|ersetzt (?:das|den|die|unser\w*|alle)|"
    r"remplace(?:nt)? (?:le|la|les|l['’]|notre)|"
    r"(?:sustituye|reemplaza)n? (?:a|el|la|los|las|nuestr\w))\b",
    re.IGNORECASE,
)
_REPLACEMENT = re.compile(
    r"[,;:]?\s+(?:by|with|instead|and (?:now|offer|the new)|the new|now|durch|stattdessen|neu\w*|"
    r"par|désormais|nouve\w*|por|nuev\w*|"
    r"ahora)\b.*$",
    re.IGNORECASE,
)
_CAPITALISED = re.compile(r"(?<=[\s(])[^\W\d_a-z]\w{2,}")
_LABEL = re.compile(r"(?<![\w.,])(?=[\w/.-]*\d{2})[\w]+(?:[/.-]\w+)*")
_ADDRESS_PARTS = spelled("com org net example www http https mailto eml txt csv pdf html json")
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

    def concerns(self, evidence: SourceStatement, kind: Cue | None) -> bool:
        """Return whether a statement no longer holds for a question that asks for a kind of value."""
        return not self._parts(evidence) or kind in self.kinds

    def marked(self, evidence: SourceStatement) -> str:
        """The text of a statement, with a mark at what no longer holds."""
        mark = f"{'evoked' if self.is_explicit else 'uperseded'} by [{self.by.number}]"
        parts = self._parts(evidence)
        if not parts:
            return f"{'R' if self.is_explicit else 'S'}{mark} – {evidence.text}"
        text = evidence.text
        for part in parts:
            text = text.replace(part, f"{part} ({'r' if self.is_explicit else 's'}{mark})", 1)
        return text

    def _parts(self, evidence: SourceStatement) -> list[str]:
        """The values of a record that are revoked, as they stand in its text; none where all of it is."""
        cells = [
            cell for cell in evidence.unit.cells if cell.text and f"{cell.head}: {cell.text}" in evidence.text
        ]
        revoked = [
            f"{cell.head}: {cell.text}"
            for cell in cells
            if any(
                kind.has_value and kind.has_value(replace(evidence.unit, cells=(cell,)))
                for kind in self.kinds
            )
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
        if not _GONE.search(self.text):
            return frozenset()
        text = masked_dates(self.text, find_dates(self.text))
        return self.evidence.stems_of(" ".join(_CAPITALISED.findall(text)))

    @cached_property
    def labels(self) -> frozenset[str]:
        return _labels(self.text)

    @cached_property
    def kinds(self) -> Sequence[Cue]:
        """The kinds of values that it names, such as a price."""
        stems = {stem(word) for word in words(self.text)}
        return [kind for kind in _KINDS if not kind.triggers.isdisjoint(stems)]

    @cached_property
    def values(self) -> frozenset[object]:
        return _values(self.evidence_unit)

    @property
    def evidence_unit(self) -> SourceUnit:
        unit = self.evidence.unit
        return replace(unit, text=self.text, cells=())


def find_revocations(sources: Sequence[ReadSource]) -> dict[int, Revocation]:
    """Find the statements that no longer hold, by their order, each with the one that revokes or supersedes it."""
    shared = Counter(name for source in sources for name in _names(source))
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
                    is_linked = bool((_names(source) & _names(other)) - common)
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
    return date is None or than is None or _day(date) <= _day(than)


def _day(date: DateMention) -> tuple[int, int, int]:
    reading = date.readings[0]
    return reading.year or 0, reading.month or 0, reading.day or 0


def _revokers(source: ReadSource) -> Iterator[_Revoker]:
    for evidence in source.evidence:
        if evidence.kind is Kind.CODE or evidence.asks:
            continue
        if match := _REVOKES.search(evidence.text) or _GONE.search(evidence.text):
            if not _POSSIBLE.search(evidence.text[: match.start()]):
                yield _Revoker(
                    evidence=evidence, source=source, text=_object_of(evidence.text, match), is_explicit=True
                )
        elif _CHANGES.search(evidence.text):
            yield _Revoker(evidence=evidence, source=source, text=evidence.text, is_explicit=False)


def _object_of(text: str, match: re.Match[str]) -> str:
    """The part of a statement that names what it revokes, without what comes in its place."""
    if active := _ACTIVE.search(text):
        return text[active.start() :]
    return text[: match.end()] + _REPLACEMENT.sub("", text[match.end() :])


def _targets(revoker: _Revoker, source: ReadSource, *, is_linked: bool) -> Iterator[SourceStatement]:
    """The statements of an earlier source that a revoker is about."""
    names_source = bool(revoker.labels & _labels(source.about))
    for evidence in source.evidence:
        is_of_kind = any(kind.has_value and kind.has_value(evidence.unit) for kind in revoker.kinds)
        if revoker.kinds and not is_of_kind:
            continue
        has_label = any(any(c.isalpha() for c in label) for label in revoker.labels & _labels(evidence.text))
        if names_source or has_label:
            yield evidence
        elif revoker.values:
            if revoker.values & _values(evidence.unit) and (is_linked or revoker.stems & evidence.stems):
                yield evidence
        elif (is_linked and is_of_kind and _has_items(revoker, evidence, source)) or _is_gone(
            revoker, evidence
        ):
            yield evidence


def _is_gone(revoker: _Revoker, evidence: SourceStatement) -> bool:
    """Return whether a statement is about the thing that is gone: by its name and another word of the revoker."""
    named = revoker.names & evidence.stems
    return bool(named) and len(_subject(revoker.evidence) & evidence.stems) >= _SHARED_MIN


def _has_items(revoker: _Revoker, evidence: SourceStatement, source: ReadSource) -> bool:
    """Return whether a statement is about the things that the revoker names, as far as its source has them."""
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
    """The statements of the same subject with other values of the same kind, by words that are not `everywhere`."""
    date, later = source.date, revoker.source.date
    if date is None or later is None or _day(date) >= _day(later):
        return
    subject = _subject(revoker.evidence) - everywhere
    for evidence in source.evidence:
        own = _subject(evidence)
        shared = subject & (own | evidence.heading_stems)
        is_same = len(shared) >= _SHARED_MIN or (shared and len(shared & own) * 2 >= len(own))
        if is_same and not evidence.asks and _differ(revoker.evidence, evidence):
            yield evidence


def _subject(evidence: SourceStatement) -> frozenset[str]:
    """The words of a statement without its dates and numbers."""
    text = masked_dates(evidence.text, find_dates(evidence.text))
    return frozenset(stem_ for stem_ in evidence.stems_of(text) if not stem_.isdigit())


def _differ(later: SourceStatement, earlier: SourceStatement) -> bool:
    """Return whether an earlier statement has a value that a later one gives otherwise, in the same kind."""
    new, old = _values(later.unit), _values(earlier.unit)
    gone = {kind for kind, _ in old - new}
    return not gone.isdisjoint(kind for kind, _ in new - old)


def _values(unit: SourceUnit) -> frozenset[tuple[str, object]]:
    """The amounts with a unit and the dates of a statement, as they can be compared."""
    amounts = {
        (quantity.dimension, quantity.base_values[0])
        for quantity in unit.quantities
        if quantity.unit is not None
    }
    return frozenset(amounts | {("date", date.readings[0]) for date in unit.dates if date.readings[0].day})


def _labels(text: str) -> frozenset[str]:
    """The numbers and identifiers by which a text can be referred to, without those that are dates."""
    return frozenset(label.casefold() for label in _LABEL.findall(masked_dates(text, find_dates(text))))


def _names(source: ReadSource) -> frozenset[str]:
    """The words that tell whose a source is, or what it is about."""
    return frozenset(
        stem_
        for stem_ in source.about_stems - _ADDRESS_PARTS
        if not any(character.isdigit() for character in stem_)
    )
