"""The check of the words of a statement: related to its sources, and as negative and as universal as these. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from frasier.kernel.language import content_stems, words_of
from frasier.kernel.names import quotations_in
from frasier.kernel.source_units import (
    SourceUnit,
)
from frasier.work.verification.clauses import ClauseAligner, forms_of
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.directions import Directions
from frasier.work.verification.findings import Finding, FindingKind, StatementVerdict
from frasier.work.verification.polarity import ALIGNED, Polarity
from frasier.work.verification.statements import StatementKind
from frasier.work.verification.universals import has_universal, universal_differs

_VERIFIED_WITH_FACTS = 0.4
_VERIFIED_BY_WORDS = 0.6
_UNRELATED = 0.4
_UNRELATED_WITH_FACTS = 0.1
_UNITS_MIN = 4
_VOCABULARY_MIN = 20  # stems: what is shorter can be said in entirely other words
_ADDITION = re.compile(
    r"\b(?:including|along with|together with|as well as|einschließlich|samt|mitsamt|sowie|inklusive"
    r"|y compris|ainsi que|avec en plus|incluid[oa]s?(?: también)?|además de|así como)\s+(?P<added>[^,;:.()|]+)",
    re.IGNORECASE,
)
_OPERAND_MAX = 12  # numbers of things that a calculation may assume


class WordCheck:
    """Finds where the words of a statement contradict its sources, or have nothing to do with them."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._aligner = ClauseAligner(comparison)

    def contradicted_words(self) -> Iterator[Finding]:
        is_row = self._comparison.statement.kind is StatementKind.ROW
        polarity = Polarity(self._comparison, self._aligner)
        added = None if is_row else polarity.added_negation()
        turned = Directions(self._comparison, self._aligner).turned()
        if other := added or polarity.dropped_negation() or turned:
            yield Finding(kind=FindingKind.NEGATION, text=self._comparison.text, against=other)
        if other := self._other_universal():
            yield Finding(kind=FindingKind.UNIVERSAL, text=self._comparison.text, against=other)

    def _other_universal(self) -> SourceUnit | None:
        """The unit nearest to the statement, or to a clause of it, that lacks its word such as all or only."""
        has_calculation = bool(self._comparison.calculations)
        near = [(self._comparison.text, self._comparison.carrying)]
        for clause in self._aligner.clauses:
            if has_universal(clause.text):
                alignment = self._aligner.align(clause)
                near += [(clause.text, alignment.units)] if alignment.share >= ALIGNED else []
        return next(
            (
                units[0]
                for text, units in near
                if units and universal_differs(text, self._around(units), has_calculation=has_calculation)
            ),
            None,
        )

    def _around(self, units: Sequence[SourceUnit]) -> str:
        """The texts of the units and around them; of records also the remarks on their table."""
        return " ".join(
            [
                *(f"{unit.context} {unit.before} {unit.text} {unit.after}" for unit in units),
                self._remarks(units),
            ]
        )

    def _remarks(self, units: Sequence[SourceUnit]) -> str:
        """The remarks on the tables that the records among the units stand in."""
        numbers = {unit.number for unit in units if unit.cells}
        return " ".join(
            unit.text
            for unit in self._comparison.units
            if unit.number in numbers and not unit.cells and unit.text.startswith("#")
        )

    def is_unrelated(self) -> bool:
        has_facts = bool(self._comparison.dates or quotations_in(self._comparison.text)) or any(
            one.values[0] > _OPERAND_MAX or one.precision < 1 for one in self._comparison.quantities
        )
        return (
            not has_facts
            and len(self._comparison.predicate) > 1
            and self._has_many_words
            and self._coverage
            < (_UNRELATED_WITH_FACTS if self._comparison.quantities or self._comparison.names else _UNRELATED)
        )

    @property
    def _has_many_words(self) -> bool:
        """Whether the sources are more than a sentence or two, all of whose words another wording may avoid."""
        return (
            len(self._comparison.vocabulary) >= _VOCABULARY_MIN or len(self._comparison.units) >= _UNITS_MIN
        )

    def unrelated_addition(self) -> str:
        """The phrase behind a word such as "including" of which the sources have no word; empty if there is none."""
        for match in _ADDITION.finditer(self._comparison.plain):
            stems = content_stems(words_of(match["added"]), self._comparison.language)
            if stems and self._has_many_words and not any(self._is_in_vocabulary(stem) for stem in stems):
                return match["added"].strip()
        return ""

    def _is_in_vocabulary(self, stem: str) -> bool:
        """Whether the sources have the stem, itself or as a part of a compound."""
        vocabulary = self._comparison.vocabulary
        return not vocabulary.isdisjoint(forms_of(stem, vocabulary))

    @property
    def _coverage(self) -> float:
        """The share of what the statement says that the nearest units have, or that is part of a compound in them."""
        predicate = self._comparison.predicate
        near = frozenset[str]().union(*(unit.stems | unit.stems_around for unit in self._comparison.nearest))
        said = sum(weight for stem, weight in predicate.items() if not near.isdisjoint(forms_of(stem, near)))
        return said / sum(predicate.values())

    def verdict_by_words(self) -> StatementVerdict:
        if self._comparison.is_foreign:
            return StatementVerdict.UNCHECKED
        has_facts = bool(self._comparison.quantities or self._comparison.dates)
        enough = _VERIFIED_WITH_FACTS if has_facts else _VERIFIED_BY_WORDS
        return (
            StatementVerdict.VERIFIED
            if self._comparison.coverage(self._comparison.nearest) >= enough
            else StatementVerdict.UNCHECKED
        )
