"""Places of a source that fit a number or a name of a statement, by what stands around them on both sides. Pure.

A number of a source fits that of a statement as well as the same words, numbers and dates stand around both; what is
nearer counts more, on either side. A mention is misplaced where `placement_score` says so: by how its own places
fit, how those of others of its kind do, and how near it stands to what says most of the statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from frasier.kernel.dates import DateMention
from frasier.kernel.language import content_stems, words_of
from frasier.kernel.names import has_digit, placed_identifiers
from frasier.kernel.number_mentions import NumberMention
from frasier.kernel.quantities import find_quantities
from frasier.kernel.source_units import Place, SourceUnit, dates_above
from frasier.kernel.word_places import place_of, stems_with_places, token_starts
from frasier.work.verification.comparison import Comparison, unit_key
from frasier.work.verification.facts import has_text, is_year, parts_of, rounds_to, states
from frasier.work.verification.placement_score import (
    DATE_WEIGHTS,
    IDENTIFIER_FIT_MIN,
    NAME_FIT_MIN,
    NAME_WEIGHTS,
    NUMBER_WEIGHTS,
    Signs,
    UnitPlaces,
    is_misplaced,
)
from frasier.work.verification.statements import StatementKind

_FACT_WEIGHT = 3.0
_REACH = 6  # words after which a neighbour counts half
_NAME_REACH = 20  # the same for a name: more of the sentence tells of whom it speaks

_CELL_WORDS = 4  # a cell of more is prose
_OTHER_CELL = 5  # the distance in words of the cells of a record
_AROUND = 0.25  # what a unit stands under or beside, in place of a nearness
_OUTSIDE = 0.6  # the same for a name that stands around a unit
_AUTHOR = 0.75  # for the name of whoever wrote it
_SAID = 1.25  # for that of whom it says "I" or "he"
_UNIT_MISSING, _UNIT_ADDED = 0.6, 0.8  # where only one of two numbers has a unit
_ADDRESS_PART_MIN = 5  # letters of a name in the address of an organisation
_KEY_UNITS_MAX = 4  # units: a word that more have tells no record
_SMALL = 12  # numbers up to it count things, and stand in any source


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

    def contradiction_of_number(self, quantity: NumberMention) -> SourceUnit | None:
        """Return the unit that speaks against the place of a number, if it is likely a wrong one."""
        signs = self.signs_of_number(quantity)
        against = signs.against if is_misplaced(signs, NUMBER_WEIGHTS) else None
        holding = self._comparison.holding[quantity.start]
        is_own_row = (
            against is not None
            and against.is_row
            and (against in holding or any(states(one, quantity) for one in find_quantities(against.context)))
        )
        is_of_same = against is not None and any(self._is_of_same(against, unit) for unit in holding)
        return None if is_own_row or is_of_same or any(map(self.has_key_of_row, holding)) else against

    def _is_of_same(self, against: SourceUnit, unit: SourceUnit) -> bool:
        """Whether another table has a number under the same words of the statement as the row that is `against` it."""
        shared = against.stems & self._comparison.stems.keys()
        is_other_table = (unit.number, unit.table) != (against.number, against.table)
        return against.is_row and unit.is_row and is_other_table and bool(shared) and shared <= unit.stems

    def has_key_of_row(self, unit: SourceUnit) -> bool:
        """Whether the statement is a row of a table, and a unit has all words of its first or its second cell."""
        of = self._comparison
        if of.statement.kind is not StatementKind.ROW:
            return False
        keys = [cell for cell in of.text.strip(" |").split("|")[:2] if not any(map(str.isdigit, cell))]
        stems = [content_stems(words_of(key), of.language) for key in keys]
        return any(
            key
            and unit.stems.issuperset(key)
            and min(of.sources.frequencies[stem] for stem in key) <= _KEY_UNITS_MAX
            for key in stems
        )

    def contradiction_of_name(self, name: str) -> SourceUnit | None:
        """Return the unit that speaks against the place of a name or an identifier, if it is likely a wrong one."""
        signs = self.signs_of_name(name)
        return signs.against if is_misplaced(signs, NAME_WEIGHTS) else None

    def contradiction_of_date(self, date: DateMention) -> SourceUnit | None:
        """Return the unit that speaks against the place of a date, if it is likely a wrong one."""
        signs = self.signs_of_date(date)
        return signs.against if is_misplaced(signs, DATE_WEIGHTS) else None

    def signs_of_number(self, quantity: NumberMention) -> Signs:
        """Return the signs of whether a number stands where the sources speak of what is around it."""
        near = self._nearness(quantity.start, {quantity.start})
        records = self._records_of(quantity)
        places = []
        for unit in self._comparison.units:
            own: list[float] = []
            other: list[float] = []
            for found, place in unit.placed_quantities:
                is_same = states(found, quantity) or rounds_to(found, quantity)
                is_rival = not records or unit in records
                if is_same or (is_rival and self._is_rival(unit, found, place, quantity)):
                    fit = _unit_fit(unit, found, quantity) * self._fit(near, unit, place)
                    (own if is_same else other).append(fit)
            own += self._fits_of_date_part(near, unit, quantity)
            places.append(self._unit_places(near, unit, own, other))
        value = quantity.values[0]
        return Signs(
            places,
            {
                "is_word": float(quantity.is_word),
                "is_small": float(abs(value) <= _SMALL and quantity.unit is None),
                "has_unit": float(quantity.unit is not None),
            },
        )

    def signs_of_date(self, date: DateMention) -> Signs:
        """Return the signs of whether a date stands where the sources speak of what is around it."""
        near = self._nearness(date.start, {date.start})
        places = []
        for unit in self._comparison.units:
            own: list[float] = []
            other: list[float] = []
            for found, place in unit.placed_dates:
                is_same = date.agrees_with(found)
                if is_same or self._is_rival_date(found, date):
                    (own if is_same else other).append(self._fit(near, unit, place))
            if not own and any(date.agrees_with(found) for found in dates_above(unit.context)):
                own.append(self._fit(near, unit, None))
            places.append(self._unit_places(near, unit, own, other))
        return Signs(places, {})

    def _is_rival_date(self, rival: DateMention, date: DateMention) -> bool:
        """Whether a date could stand in the place of the statement's: as exact, and not in the statement itself."""
        return any(
            mine.has_parts_of(theirs) for mine in rival.readings for theirs in date.readings
        ) and not any(one.agrees_with(rival) for one in self._comparison.dates)

    def signs_of_name(self, name: str) -> Signs:
        """Return the signs of whether a name stands where the sources speak of what is around it."""
        at = self._comparison.text.find(name)
        folded = name.casefold()
        parts = {part.casefold() for part in parts_of(name)}
        same = parts | set().union(*(self._comparison.sources.aliases.get(part, ()) for part in parts))
        near = self._nearness(at, {name, *content_stems(same, self._comparison.language)}, _NAME_REACH)
        rivals = self._rival_names(_shape(folded)) - same
        columns: dict[
            tuple[int, int], set[int]
        ] = {}  # of each table, in which another name could stand for it
        for unit in self._comparison.units:
            for one in same if unit.cells else ():
                columns.setdefault((unit.number, unit.table), set()).update(
                    place[0] for place in unit.places_of(one)
                )
        columns = {table: cells for table, cells in columns.items() if cells}
        places = []
        for unit in self._comparison.units:
            subjects = self._comparison.cited[unit.number].subjects[unit.order]
            own = [
                self._fit(near, unit, place, _NAME_REACH)
                for one in same
                for place in unit.places_of(one)
                if place[1] >= subjects.addressed
            ]
            outside = self._fit(near, unit, None, _NAME_REACH)
            if not own and any(_is_part_of(one, same) for one in subjects.names):
                own = [(_SAID if subjects.is_said else _AUTHOR) * outside]
            elif not own and any(has_text(one, folded) for one in (*unit.path, unit.text * has_digit(name))):
                own = [outside]  # a heading, or the "C12" of "4-C12"
            elif not own and (has_text(unit.context, folded) or self._is_named_before(unit, folded)):
                own = [_OUTSIDE * outside]
            other = [
                self._fit(near, unit, place, _NAME_REACH)
                for rival in rivals & unit.placed_names.keys()
                for place in unit.placed_names[rival]
                if place[1] >= subjects.addressed
                and (not unit.cells or place[0] in columns.get((unit.number, unit.table), {place[0]}))
            ]
            if not own and subjects.is_said and subjects.names <= self._unstated(subjects.names):
                other.append(outside)
            places.append(self._unit_places(near, unit, own, other))
        return Signs(
            places,
            {
                "is_german": float(self._comparison.language == "german"),
            },
            fit_min=IDENTIFIER_FIT_MIN if has_digit(name) else NAME_FIT_MIN,
        )

    def _is_named_before(self, unit: SourceUnit, name: str) -> bool:
        """Whether the sentence before a unit, or the one that opens its paragraph, speaks of a name."""
        source = self._comparison.cited[unit.number]
        first = unit.order
        while first and not unit.cells and source.units[first - 1].lines[1] == source.units[first].lines[0]:
            first -= 1
        before = {first, unit.order - 1} - {unit.order, -1} if unit.before else set()
        return any(
            has_text(" ".join(source.units[at].text.split()[source.subjects[at].addressed :]), name)
            for at in before
        )

    def _unit_places(
        self, near: Mapping[int, float], unit: SourceUnit, own: Sequence[float], other: Sequence[float]
    ) -> UnitPlaces:
        hits = self._hits_in(unit)
        return UnitPlaces(
            unit=unit,
            evidence=sum(
                near[at] * (1.0 if places else _AROUND) for at, places in hits.items() if at in near
            ),
            own=max(own, default=None),
            other=max(other, default=None),
        )

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

    def _records_of(self, quantity: NumberMention) -> list[SourceUnit]:
        """The records that have a number and an identifier of the statement: only they have its place."""
        identifiers = [at for at, term in enumerate(self._terms) if isinstance(term.content, _Identifier)]
        return [
            unit
            for unit in self._comparison.holding[quantity.start]
            if unit.cells and any(at in self._hits_in(unit) for at in identifiers)
        ]

    def _fits_of_date_part(
        self, near: Mapping[int, float], unit: SourceUnit, quantity: NumberMention
    ) -> list[float]:
        """The fits of the dates of a unit of which the number is the year or the day."""
        if quantity.unit is not None:
            return []
        value = quantity.values[0]
        places: list[Place | None] = [
            place
            for date, place in unit.placed_dates
            if any(value in {one.year, one.day} for one in date.readings)
        ]
        if str(value) in unit.context:
            places.append(None)
        return [self._fit(near, unit, place) for place in places]

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

    def _unstated(self, names: AbstractSet[str]) -> AbstractSet[str]:
        """Those of the names that the statement does not have."""
        return {name for name in names if not has_text(self._comparison.text, name)}

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


def _is_part_of(subject: str, names: AbstractSet[str]) -> bool:
    """Whether a subject is one of the names, or its address begins or ends with one ("hollistergraye")."""
    return subject in names or any(
        len(name) >= _ADDRESS_PART_MIN and (subject.startswith(name) or subject.endswith(name))
        for name in names
    )


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
