"""The evidence in the available passages, its relevance to a need, and what of it no longer holds."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from frasier.llm.prompt_inputs import Passage
from frasier.llm.providers.rehearsal.conditions import ValueCondition
from frasier.llm.providers.rehearsal.contradicting_statements import Contests
from frasier.llm.providers.rehearsal.cues import OPEN_QUESTIONS
from frasier.llm.providers.rehearsal.doubts import find_doubts, older_versions
from frasier.llm.providers.rehearsal.evidence import SourceStatement, read_sources
from frasier.llm.providers.rehearsal.named_rows import other_rows
from frasier.llm.providers.rehearsal.nearest import Nearness, Vocabulary
from frasier.llm.providers.rehearsal.needs import Need
from frasier.llm.providers.rehearsal.operation_words import EXCEPTS
from frasier.llm.providers.rehearsal.quotable import Kind, names_by_code
from frasier.llm.providers.rehearsal.revocations import Revocation, find_revocations
from frasier.llm.providers.rehearsal.stems import stem, words

# Below these shares of a need (by how many words it has) a statement only shares a word with the question.
_FLOOR = {0: 0.3, 1: 0.3, 2: 0.3, 3: 0.24}
_FLOOR_OF_LONG_NEEDS = 0.18
_FLOOR_WITH_CONDITION = 0.001  # the condition decides
_SHARE_OF_BEST = 0.45
_SHARE_OF_BEST_WITH_CUE = 0.6
_QUESTION = 0.4
_LEAD = 1.3
_IN_ITS_SECTION = 1.3
_SALIENCE = 0.3
_IDF_MIN = 0.05
_SHARE_OF_NEAREST = 0.25
_CAPITALISED = re.compile(r"(?<=\s)[^\W\d_a-zà-ÿ][\w-]{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    evidence: SourceStatement
    score: float


class Corpus:
    """All evidence in some passages, with the statistics that relevance needs."""

    def __init__(self, passages: tuple[Passage, ...]) -> None:
        self.sources = read_sources(passages)
        self.evidence = [one for source in self.sources for one in source.evidence]
        self.titles = _titles(passages)
        self._dates = {source.number: source.date for source in self.sources}
        self.idf = _inverse_frequencies(
            [one.stems | one.heading_stems | one.about_stems for one in self.evidence]
        )
        languages = Counter(one.unit.language for one in self.evidence if one.unit.language)
        self.language = languages.most_common(1)[0][0] if languages else None
        self._salience = _salience(self.evidence, self.idf)

    @cached_property
    def revocations(self) -> dict[int, Revocation]:
        """The revocations of what no longer holds, by the order of the statement."""
        return find_revocations(self.sources)

    @cached_property
    def doubts(self) -> frozenset[int]:
        """The statements, by their order, that a later source may have changed."""
        return find_doubts(self.sources) - frozenset(self.revocations) | self.outdated

    def contesting(self, answer: SourceStatement, need: Need) -> Sequence[SourceStatement]:
        """Return what later sources say of the same as an answer to a need."""
        named = answer.value_stems if answer.kind is Kind.RECORD else frozenset()
        return self._contests.contesting(answer, frozenset(need.spoken_terms(answer)) - named, need)

    def speaking_of(self, answer: SourceStatement, terms: frozenset[str]) -> Sequence[SourceStatement]:
        """Return what later sources say of the same as a statement, with one of the `terms`."""
        return self._contests.contesting(answer, terms)

    def other_rows(self, need: Need) -> frozenset[int]:
        """Return the rows of tables, as statements by their order, that are about other things than a need names."""
        if EXCEPTS.search(need.subject):
            return frozenset()
        named = " ".join((need.subject, *need.within))
        others: set[int] = set()
        for source in self.sources:
            units = frozenset().union(*(other_rows(rows, named) for rows in source.tables))
            others |= {one.order for one in source.evidence if one.unit.cells and one.unit.order in units}
        return frozenset(others)

    def named_nearly(self, need: Need) -> frozenset[int]:
        """Return the sources whose title has a name of a question only in another form, where another one has it so.

        "Refuge de l'Aigle" is not the refuge des Aigles.
        """
        titles = {source.number: frozenset(words(source.title)) for source in self.sources}
        nearly: set[int] = set()
        for name in _CAPITALISED.findall(need.subject):
            word = name.lower()
            if any(word in spelled for spelled in titles.values()):
                own = stem(word, self.language)
                nearly |= {
                    number
                    for number, spelled in titles.items()
                    if word not in spelled and any(stem(one, self.language) == own for one in spelled)
                }
        return frozenset(nearly)

    @cached_property
    def _contests(self) -> Contests:
        return Contests(self.sources)

    @cached_property
    def outdated(self) -> frozenset[int]:
        """The statements, by their order, of drafts and older versions."""
        return frozenset(one.order for source in older_versions(self.sources) for one in source.evidence)

    def __contains__(self, word: str) -> bool:
        """Whether a statement, or what stands around it, has a word in some form."""
        languages = {one.language for one in self.evidence}
        return any(stem(word, language) in self.idf for language in languages)

    def numbers(self) -> tuple[int, ...]:
        """The numbers of the sources that have something to quote, ascending."""
        return tuple(sorted({one.number for one in self.evidence}))

    def ranked(self, need: Need, *, only: frozenset[int] = frozenset()) -> tuple[Scored, ...]:
        """The statements that meet the need well enough, best first; `only` narrows the sources."""
        sources = self._naming(need.identifiers) & self._telling(need) & (only or frozenset(self.titles))
        met = [(need.share(one, self.idf), one) for one in self.evidence if one.number in sources]
        required = self._required(need)
        floors = _floors(need, met)
        matches = [
            Scored(evidence=one, score=share * self._standing(one) * self._fit(one, need))
            for share, one in met
            if share >= floors[one.number] and required <= one.stems | one.heading_stems | one.about_stems
        ]
        return tuple(sorted(matches, key=lambda scored: (-scored.score, scored.evidence.order)))

    def _naming(self, identifiers: frozenset[str]) -> frozenset[int]:
        """The sources that name one of the identifiers, if any does: the others are about something else."""
        naming = {one.number for one in self.evidence if identifiers & (one.stems | one.about_stems)}
        return frozenset(naming or self.titles)

    def _telling(self, need: Need) -> frozenset[int]:
        """The sources that speak of what the question before names, where this one names no subject."""
        shares: dict[int, float] = {}
        for one in self.evidence:
            shares[one.number] = max(need.is_told_in(one), shares.get(one.number, 0.0))
        best = max(shares.values(), default=0.0)
        naming = self._naming(need.identifiers_within)
        telling = {number for number, share in shares.items() if best and share * 2 >= best}
        sources = {one.order: one.number for one in self.evidence}
        # What revokes something that they say speaks of the same.
        revoking = {one.by.number for order, one in self.revocations.items() if sources[order] in telling}
        return frozenset(telling & naming | revoking)

    def unmet_conditions(self, need: Need) -> Mapping[int, Sequence[ValueCondition]]:
        """Return the conditions that no statement of a source may meet and one on the subject fails, by the source."""
        if not need.words:
            return {}
        unmet = {
            source.number: [one for one in need.conditions if need.is_unmet_by(source.evidence, one)]
            for source in self.sources
        }
        return {number: conditions for number, conditions in unmet.items() if conditions}

    def failing(self, need: Need, only: frozenset[int] = frozenset()) -> tuple[Scored, ...]:
        """The rows and fields that were compared with the conditions of a need and fail one."""
        return tuple(
            Scored(evidence=one, score=self._standing(one))
            for one in self.evidence
            if one.kind.is_data
            and one.number in (only or self.titles)
            and need.is_decided_by(one)
            and not need.holds(one)
        )

    def nearest(
        self, need: Need, *, met: Sequence[Scored], only: frozenset[int] = frozenset()
    ) -> tuple[Scored, ...]:
        """The statements nearest to a need that do not meet it, best first, without drafts and older versions.

        A row or field that fails a condition is not near, and neither is another field, or the name, of its thing.
        """
        decided = [one for one in self.evidence if one.kind.is_data and need.is_decided_by(one)]
        failing = {scored.evidence.order for scored in self.failing(need)}
        of_fields = {one.number for one in decided if one.kind is Kind.FIELD}
        answers = {scored.evidence.order for scored in met}
        sources = self._naming(need.identifiers) & (only or frozenset(self.titles))
        nearness = Nearness.of(need, self._vocabulary)
        scored = [
            Scored(evidence=one, score=nearness.score(one) * self._standing(one))
            for one in self.evidence
            if one.number in sources
            and one.order not in answers
            and not one.is_header
            and one.order not in failing
            and not (one.number in of_fields and (one.kind is Kind.FIELD or names_by_code(one.text)))
            and one.order not in self.outdated
            and not self._is_date_of_source(one)
        ]
        ranked = sorted(scored, key=lambda scored: (-scored.score, scored.evidence.order))
        best = ranked[0].score if ranked else 0.0
        return tuple(one for one in ranked if one.score > best * _SHARE_OF_NEAREST)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(weights=self.idf, languages=frozenset(one.language for one in self.evidence))

    def _is_date_of_source(self, evidence: SourceStatement) -> bool:
        """Whether a statement only dates its source."""
        date = self._dates[evidence.number]
        return date is not None and not evidence.unit.cells and date.text in evidence.text

    def _required(self, need: Need) -> frozenset[str]:
        """The words of a question with a condition that some statement has among its values.

        "Failed" in a question for failed tests is the value of some of them; "invoice" names all of them.
        """
        if not need.conditions:
            return frozenset()
        names = frozenset().union(*(one.head_stems for one in self.evidence))
        values = frozenset().union(*(one.stems for one in self.evidence))
        return frozenset(term for term in need.terms if term in values - names)

    def _fit(self, evidence: SourceStatement, need: Need) -> float:
        """A section that bears the subject's name knows more than a passing mention; a question answers nothing."""
        fit = 1.0
        if evidence.heading_stems.issuperset(need.terms):
            fit = (_IN_ITS_SECTION if need.words else 1.0) * (_LEAD if evidence.lead else 1.0)
        return fit * _QUESTION if evidence.asks and need.cue is not OPEN_QUESTIONS else fit

    def meets(self, need: Need) -> bool:
        """Whether any statement meets the need."""
        return any(need.share(one, self.idf) >= _floor(need) for one in self.evidence)

    def _standing(self, evidence: SourceStatement) -> float:
        return evidence.quality * (1 + _SALIENCE * self._salience[evidence.order])


@lru_cache(maxsize=4)
def corpus_of(passages: tuple[Passage, ...]) -> Corpus:
    """The corpus of some passages, kept for the next phase that asks for the same."""
    return Corpus(passages)


def _titles(passages: Sequence[Passage]) -> dict[int, str]:
    """A name for each source: its title, or its file where several have that title."""
    firsts = {passage.number: passage for passage in reversed(passages)}
    uses = Counter(passage.title for passage in firsts.values())
    return {
        number: passage.file if passage.file and uses[passage.title] > 1 else passage.title
        for number, passage in sorted(firsts.items())
    }


def _floors(need: Need, met: Sequence[tuple[float, SourceStatement]]) -> dict[int, float]:
    """Return the share of the need that a statement of each source must meet.

    A statement that only looks like an answer counts if its source has none by name; one that only shares a word with
    the question counts nowhere once a source answers it in full.
    """
    best: dict[int, float] = {}
    for share, one in met:
        best[one.number] = max(share, best.get(one.number, 0.0))
    if need.cue or need.conditions:
        return {number: max(_floor(need), share * _SHARE_OF_BEST_WITH_CUE) for number, share in best.items()}
    overall = max(best.values(), default=0.0)
    return dict.fromkeys(best, max(_floor(need), overall * _SHARE_OF_BEST))


def _floor(need: Need) -> float:
    if need.conditions:
        return _FLOOR_WITH_CONDITION
    return _FLOOR.get(len(need.words), _FLOOR_OF_LONG_NEEDS)


def _inverse_frequencies(documents: Sequence[frozenset[str]]) -> dict[str, float]:
    counts: Counter[str] = Counter()
    for stems in documents:
        counts.update(stems)
    size = len(documents)
    return {term: max(_IDF_MIN, math.log(1 + (size - n + 0.5) / (n + 0.5))) for term, n in counts.items()}


def _salience(evidence: Sequence[SourceStatement], idf: dict[str, float]) -> list[float]:
    """Score how much each statement concerns the main subject of its source, from 0 to 1."""
    frequent: dict[int, Counter[str]] = {}
    for one in evidence:
        frequent.setdefault(one.number, Counter()).update(one.stems)
    raw = [
        sum(sorted((frequent[one.number][t] - 1) * idf[t] for t in one.stems)) / (len(one.stems) + 4)
        for one in evidence
    ]
    highest = max(raw, default=0.0)
    return [value / highest if highest else 0.0 for value in raw]
