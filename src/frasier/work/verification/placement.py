"""Places of a source that fit a number or a name of a statement, by what stands around them on both sides. Pure.

A number of a source fits that of a statement as well as the same words, numbers and dates stand around both; what is
nearer counts more, on either side. Where another number fits much better, the statement has a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from frasier.kernel.dates import DateMention
from frasier.kernel.language import content_stems
from frasier.kernel.names import has_digit, placed_identifiers
from frasier.kernel.quantities import NumberMention
from frasier.kernel.source_units import Place, SourceUnit
from frasier.kernel.word_places import place_of, stems_with_places, token_starts
from frasier.work.verification.comparison import Comparison, unit_key
from frasier.work.verification.facts import has_text, is_year, rounds_to, states

_FACT_WEIGHT = 3.0
_REACH = 6  # words after which a neighbour counts half
_NAME_REACH = 20  # the same for a name: more of the sentence tells of whom it speaks

_CELL_WORDS = 4  # a cell of more is prose
_OTHER_CELL = 5  # the distance in words of the cells of a record
_AROUND = 0.25  # what a unit stands under or beside, in place of a nearness
_OUTSIDE = 0.6  # the same for a name that stands around a unit
_UNIT_MISSING, _UNIT_ADDED = 0.6, 0.8  # where only one of two numbers has a unit
_LEAD = 1.35  # by which factor another place must fit better
_FIT_MIN = 0.4  # of another place, to say anything; below it most findings in unseen texts are false


@dataclass(frozen=True, slots=True)
class Fit:
    """The degree from 0 to 1 to which a place fits, and the unit that it is in."""

    value: float = 0.0
    unit: SourceUnit | None = None


class _Identifier(str):
    """An identifier, such as "B-24"."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class _Term:
    """A word, number or date of the statement, at the `place`th word."""

    content: str | _Identifier | NumberMention | DateMention
    weight: float
    place: int


class Placement:
    """Compares what stands around the numbers and names of a statement with what does in its sources."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._starts = token_starts(comparison.text)
        self._hits: dict[tuple[int, int], Mapping[int, Sequence[Place] | None]] = {}

    def contradiction(self, quantity: NumberMention) -> Fit | None:
        """Return the place of another number that fits better, if there is one."""
        near = self._nearness(quantity.start, {quantity.start})
        own, other = Fit(), Fit()
        for unit in self._comparison.units:
            for found, place in unit.placed_quantities:
                is_same = states(found, quantity) or rounds_to(found, quantity)
                if not is_same and not self._is_rival(unit, found, place, quantity):
                    continue
                fit = _unit_fit(unit, found, quantity) * self._fit(near, unit, place)
                if is_same:
                    own = max(own, Fit(fit, unit), key=lambda one: one.value)
                else:
                    other = max(other, Fit(fit, unit), key=lambda one: one.value)
            own = max(own, Fit(self._fit_of_date_part(near, unit, quantity), unit), key=lambda one: one.value)
        return other if _is_better(other, own) else None

    def _is_rival(
        self, unit: SourceUnit, rival: NumberMention, place: Place, quantity: NumberMention
    ) -> bool:
        """Whether a number could stand in the place of the statement's: of the same kind, and not in it already.

        In prose a number without a unit counts what its neighbours name.
        """
        if not rival.values[0] or (rival.is_word and rival.values[0] == 1) or not rival.comparable(quantity):
            return False
        if is_year(rival) != is_year(quantity) or any(
            states(rival, one) or rounds_to(rival, one) for one in self._comparison.quantities
        ):
            return False
        if unit.cells and (rival.unit or len(unit.cells[place[0]].text.split()) <= _CELL_WORDS):
            return True
        if (rival.unit is None) != (quantity.unit is None):
            return False
        return (
            quantity.unit is not None
            or is_year(quantity)
            or any(
                cell == place[0] and abs(at - place[1]) == 1
                for stem in self._comparison.stems
                for cell, at in unit.placed_stems.get(stem, ())
            )
        )

    def _fit_of_date_part(
        self, near: Mapping[int, float], unit: SourceUnit, quantity: NumberMention
    ) -> float:
        """The fit of the dates of a unit of which the number is the year or the day."""
        if quantity.unit is not None:
            return 0.0
        value = quantity.values[0]
        places: list[Place | None] = [
            place
            for date, place in unit.placed_dates
            if any(value in {one.year, one.day} for one in date.readings)
        ]
        if str(value) in unit.context:
            places.append(None)
        return max((self._fit(near, unit, place) for place in places), default=0.0)

    def contradiction_of_name(self, name: str) -> Fit | None:
        """Return the place of another name that fits better than any place near this one."""
        at = self._comparison.text.find(name)
        folded = name.casefold()
        same = {folded, *self._comparison.sources.aliases.get(folded, ())}
        near = self._nearness(at, {name, *content_stems(same, self._comparison.language)}, _NAME_REACH)
        rivals = self._rival_names(_shape(folded)) - same
        orders = self._orders_of(folded)
        own, other = Fit(), Fit()
        for unit in self._comparison.units:
            if not self._hits_in(unit):
                continue
            places = [place for one in same for place in unit.places_of(one)]
            if not places and orders.get(unit.number):
                steps = min(abs(unit.order - order) for order in orders[unit.number])
                fit = _OUTSIDE * _nearness(steps - 1, _REACH) * self._fit(near, unit, None, _NAME_REACH)
            else:
                fit = max((self._fit(near, unit, place, _NAME_REACH) for place in places), default=0.0)
            own = max(own, Fit(fit, unit), key=lambda one: one.value)
            for rival in rivals & unit.placed_names.keys():
                for place in unit.placed_names[rival]:
                    fit = self._fit(near, unit, place, _NAME_REACH)
                    other = max(other, Fit(fit, unit), key=lambda one: one.value)
        return other if _is_better(other, own) else None

    def _orders_of(self, name: str) -> Mapping[int, Sequence[int]]:
        """The units that have a name, or stand under it, by their source."""
        orders: dict[int, list[int]] = {}
        for unit in self._comparison.units:
            if unit.places_of(name) or has_text(unit.context, name):
                orders.setdefault(unit.number, []).append(unit.order)
        return orders

    def _rival_names(self, shape: str) -> AbstractSet[str]:
        """The names of the cited sources of one kind that the statement has not."""
        return {name for name in self._names_missing if _shape(name) == shape}

    @cached_property
    def _names_missing(self) -> AbstractSet[str]:
        """The names and identifiers of the cited sources that neither are in the statement nor stand for one in it."""
        of = self._comparison
        names = set().union(*(of.sources.names_in(unit) for unit in of.units))
        stated = {name for name in names if has_text(of.text, name)}
        same = set().union(*(of.sources.aliases.get(name, ()) for name in stated))
        return names - stated - same

    @cached_property
    def _terms(self) -> Sequence[_Term]:
        of = self._comparison
        terms = [
            _Term(stem, of.stems.get(stem, 1.0), place)
            for stem, place in stems_with_places(of.plain, of.language, self._starts)
        ]
        terms += [
            _Term(_Identifier(identifier), _FACT_WEIGHT, place_of(self._starts, start))
            for identifier, start in placed_identifiers(of.plain)
        ]
        facts: list[NumberMention | DateMention] = [*of.quantities, *of.dates]
        terms += [_Term(fact, _FACT_WEIGHT, place_of(self._starts, fact.start)) for fact in facts]
        return terms

    def _nearness(
        self, start: int, without: AbstractSet[int | str], reach: float = _REACH
    ) -> Mapping[int, float]:
        """The part of each term in all that stands around a place of the statement, which makes 1.

        Facts and words that are `without`, by their places and their stems, are left out.
        """
        at = place_of(self._starts, start)
        weights = {
            index: term.weight * _nearness(abs(term.place - at), reach)
            for index, term in enumerate(self._terms)
            if (term.content if isinstance(term.content, str) else term.content.start) not in without
        }
        total = sum(weights.values()) or 1.0
        return {index: weight / total for index, weight in weights.items()}

    def _fit(
        self, near: Mapping[int, float], unit: SourceUnit, place: Place | None, reach: float = _REACH
    ) -> float:
        fit = 0.0
        for index, places in self._hits_in(unit).items():
            if index in near:
                nearest = (
                    max((_between(one, place, reach) for one in places), default=0) if places else _AROUND
                )
                fit += near[index] * nearest
        return fit

    def _hits_in(self, unit: SourceUnit) -> Mapping[int, Sequence[Place] | None]:
        """The places that a unit has each term at; None for a word that stands around it."""
        key = unit_key(unit)
        if key not in self._hits:
            self._hits[key] = dict(self._find_terms(unit))
        return self._hits[key]

    def _find_terms(self, unit: SourceUnit) -> Iterator[tuple[int, Sequence[Place] | None]]:
        for index, term in enumerate(self._terms):
            content = term.content
            places: Sequence[Place] = ()
            if isinstance(content, _Identifier):
                places = unit.places_of(content.casefold())
            elif isinstance(content, str):
                places = unit.placed_stems.get(content, ())
                if not places and content in unit.stems_around:
                    yield index, None
            elif isinstance(content, NumberMention):
                places = [
                    place
                    for found, place in unit.placed_quantities
                    if states(found, content) or rounds_to(found, content)
                ]
            else:
                places = [place for date, place in unit.placed_dates if content.agrees_with(date)]
            if places:
                yield index, places


def _shape(name: str) -> str:
    """The kind of a name: of an identifier the order of its letters and digits."""
    if not has_digit(name):
        return "name"
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", name))


def _nearness(distance: float, reach: float) -> float:
    return 1 / (1 + distance / reach)


def _between(first: Place, second: Place | None, reach: float) -> float:
    """The nearness of two places of a unit."""
    if second is None or first[0] != second[0]:
        return _nearness(_OTHER_CELL, reach)
    return _nearness(abs(first[1] - second[1]), reach)


def _unit_fit(unit: SourceUnit, other: NumberMention, quantity: NumberMention) -> float:
    if quantity.unit is not None and other.unit is None and not unit.cells:
        return _UNIT_MISSING
    return _UNIT_ADDED if quantity.unit is None and other.unit is not None else 1.0


def _is_better(other: Fit, own: Fit) -> bool:
    return other.value >= _FIT_MIN and other.value > _LEAD * own.value


def parts_of(name: str) -> list[str]:
    """Return the name and its parts between hyphens, one of which may stand for it."""
    return [name, *(part for part in name.split("-") if len(part) > 3 and part != name)]
