"""Directions of change: where a statement says that something rose and its source that it fell, or the reverse. Pure.

Only words of change count. What is higher or lower than something else may be told from either side.
"""

from __future__ import annotations

from frasier.kernel.dates import masked_dates
from frasier.kernel.source_units import SourceUnit
from frasier.work.verification.clauses import Clause, ClauseAligner, clause_stems, split_clauses
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.polarity_words import FALLING, NEGATIONS, RISING

_ALIGNED = 0.6  # of the weight of a clause, with its numbers and dates


class Directions:
    """Compares a statement with its sources in which way something changed."""

    def __init__(self, comparison: Comparison, aligner: ClauseAligner) -> None:
        self._comparison = comparison
        self._aligner = aligner

    def turned(self) -> SourceUnit | None:
        """Return the unit nearest to a clause that says of the same facts that it changed the other way.

        What a statement computes is the author's own, also the way in which it goes.
        """
        if self._comparison.calculations or not all(self._comparison.holding.values()):
            return None
        for clause in self._aligner.clauses:
            rises = _direction(clause.text, self._comparison.language)
            if rises is None or not self._has_facts(clause):
                continue
            alignment = self._aligner.align(clause)
            if alignment.share < _ALIGNED:
                continue
            near = {unit: self._direction_of(unit, clause) for unit in alignment.units}
            if rises not in near.values() and near[alignment.units[0]] is (not rises):
                return alignment.units[0]
        return None

    def _has_facts(self, clause: Clause) -> bool:
        numbers = [one.start for one in self._comparison.quantities]
        dates = [one.start for one in self._comparison.dates]
        return any(clause.start <= start < clause.end for start in (*numbers, *dates))

    def _direction_of(self, unit: SourceUnit, clause: Clause) -> bool | None:
        """The direction of what a unit that has all numbers of a clause says in most of its words."""
        numbers = [one for one in self._comparison.quantities if clause.start <= one.start < clause.end]
        if not all(unit in self._comparison.holding[one.start] for one in numbers):
            return None
        language = unit.language or self._comparison.language
        stems = set(clause_stems(clause.text, self._comparison.language))
        shared: dict[float, list[str]] = {}
        for part in split_clauses(masked_dates(unit.text, unit.dates), language):
            weight = self._aligner.weight(stems.intersection(clause_stems(part.text, language)))
            shared.setdefault(weight, []).append(part.text)
        return _direction(" ".join(shared[max(shared)]), language) if shared else None


def _direction(text: str, language: str | None) -> bool | None:
    """Return whether a text says that something rises; None where it says neither, both, or denies it."""
    rises, falls = RISING.is_in(text, language), FALLING.is_in(text, language)
    return None if rises == falls or NEGATIONS.is_in(text, language) else rises
