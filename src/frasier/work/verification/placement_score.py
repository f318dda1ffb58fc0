"""The score by which a number or a name of a statement is misplaced, from where it and others of its kind stand. Pure.

The weights are fitted by `bench/deliverables/fit_placement.py` on texts with planted faults.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from frasier.kernel.source_units import SourceUnit

_SMOOTHING = 0.05
_NEIGHBOURS = 2
_COUNT_MAX = 10  # a column of many rows has each of its numbers many times
_FIT_MIN, _LEAD = 0.4, 1.35  # of a place that decides alone
IDENTIFIER_FIT_MIN = 0.5  # the same for an identifier
NAME_FIT_MIN = 0.6  # and for a name: a sentence may leave out or come back to those it speaks of


@dataclass(frozen=True, slots=True)
class UnitPlaces:
    """A unit, the share that it has of what the statement says, and how well the places fit that it has, if any.

    `own` are those of the number or name of the statement, `other` those of another of its kind.
    """

    unit: SourceUnit
    evidence: float
    own: float | None
    other: float | None


class Signs:
    """The signs of whether a number or name is misplaced, by name."""

    def __init__(
        self, places: Sequence[UnitPlaces], kind: Mapping[str, float], *, fit_min: float = _FIT_MIN
    ) -> None:
        self._places = places
        self._kind = kind
        self._fit_min = fit_min

    @cached_property
    def _best(self) -> float:
        return max((one.evidence for one in self._places), default=0.0)

    @cached_property
    def against(self) -> SourceUnit | None:
        """The unit that has another in its place, or the one that has most of what the statement says."""
        rivals = [one for one in self._places if one.other]
        if rivals:
            return max(rivals, key=lambda one: one.other or 0.0).unit
        return max(self._places, key=lambda one: one.evidence).unit if self._best else None

    @cached_property
    def is_contradicted(self) -> bool:
        """Whether the place of another fits well, and much better than any of its own."""
        own = max((one.own or 0.0 for one in self._places), default=0.0)
        other = max((one.other or 0.0 for one in self._places), default=0.0)
        return other >= self._fit_min and other > _LEAD * own

    @cached_property
    def by_name(self) -> Mapping[str, float]:
        """The value of each sign, mostly from 0 to 1."""
        best = self._best or 1.0
        places = self._places
        holding = [at for at, one in enumerate(places) if one.own is not None]
        own = max((one.own or 0.0 for one in places), default=0.0)
        other = max((one.other or 0.0 for one in places), default=0.0)
        here = max((places[at].evidence for at in holding), default=0.0) / best
        beside = max((places[at].evidence for at in self._around(holding)), default=0.0) / best
        numbers = {places[at].unit.number for at in holding}
        in_source = max((one.evidence for one in places if one.unit.number in numbers), default=0.0) / best
        nearest = [one for one in places if one.evidence >= best * (1 - 1e-9)]
        rivals = float(any(one.other is not None for one in nearest))
        return {
            "bias": 1.0,
            "lead": math.log((other + _SMOOTHING) / (own + _SMOOTHING)),
            "other": other,
            "own": own,
            "not_here": 1 - here,
            "not_beside": 1 - beside,
            "not_in_source": 1 - in_source,
            "best_not_here": self._best * (1 - here),
            "rival_in_best": rivals,
            "rival_and_not_here": rivals * (1 - here),
            "count": math.log1p(min(len(holding), _COUNT_MAX)),
            **self._kind,
        }

    def _around(self, holding: Sequence[int]) -> set[int]:
        """The places within two units of one that has it, in the same source."""
        return {
            other
            for at in holding
            for other in range(max(0, at - _NEIGHBOURS), min(len(self._places), at + _NEIGHBOURS + 1))
            if self._places[other].unit.number == self._places[at].unit.number
        }


def is_misplaced(signs: Signs, weights: Mapping[str, float]) -> bool:
    """Return whether a number or name is likely misplaced: contradicted, or by the sum of its weighted signs."""
    return (
        signs.is_contradicted
        or sum(weight * signs.by_name.get(name, 0.0) for name, weight in weights.items()) > 0
    )


NUMBER_WEIGHTS: Mapping[str, float] = {
    "bias": -3.49,
    "lead": 0.77,
    "other": 0.49,
    "own": -2.31,
    "not_here": 1.59,
    "not_in_source": -0.80,
    "best_not_here": 2.64,
    "rival_in_best": 0.41,
    "rival_and_not_here": 1.56,
    "count": 1.02,
    "is_word": 0.53,
    "is_small": 0.44,
    "has_unit": -0.73,
}
NAME_WEIGHTS: Mapping[str, float] = {
    "bias": -2.84,
    "lead": 0.95,
    "other": 1.74,
    "own": -2.08,
    "not_here": 0.25,
    "not_beside": -0.94,
    "best_not_here": 1.43,
    "rival_in_best": 0.62,
    "rival_and_not_here": 0.36,
    "is_german": 0.59,
}
DATE_WEIGHTS: Mapping[str, float] = {
    "bias": -2.58,
    "lead": 2.49,
    "other": 0.60,
    "own": -0.56,
    "not_here": 0.58,
    "not_beside": 0.45,
    "best_not_here": 0.84,
    "rival_in_best": 1.57,
}
