"""Other values in the place of a number or a name: where the sources say of another what the statement says. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from frasier.kernel.language import content_stems, words_of
from frasier.kernel.names import names_in
from frasier.kernel.quantities import NumberMention
from frasier.kernel.source_units import (
    SourceUnit,
    masked_dates,
)
from frasier.kernel.unit_names import unit_of
from frasier.work.verification.comparison import Comparison, unit_key
from frasier.work.verification.facts import (
    has_text,
    has_word,
    rounds_to,
    states,
)
from frasier.work.verification.statements import StatementKind

_RIVAL_SHARE = 0.5  # of the evidence: another unit with another value must share as much to count
_RIVAL_LEAD = 1.5  # by which factor it must share more than what has the value of the statement
_FACT_WEIGHT = 2.0


class Rivals:
    """Finds the units that share most with a statement and give another number or name."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison

    def rival(self, quantity: NumberMention, holding: Sequence[SourceUnit]) -> SourceUnit | None:
        """Return a unit that has another value in the place of the number, and much more of the statement."""
        if self._comparison.is_foreign:
            return None
        total = sum(self._comparison.stems.values()) + _FACT_WEIGHT * (
            len(self._comparison.quantities) + len(self._comparison.dates) - 1
        )
        home = max(holding, key=lambda unit: self._comparison.evidence(unit, quantity))
        own = self._comparison.evidence(home, quantity)
        for unit in self._comparison.units:
            evidence = self._comparison.evidence(unit, quantity)
            if evidence < _RIVAL_SHARE * total or evidence < _RIVAL_LEAD * own or unit in holding:
                continue
            if unit.number != home.number or (not unit.cells and abs(unit.order - home.order) <= 1):
                continue
            if self._has_other_value(unit, home, quantity):
                return unit
        return None

    def named_rival(self, quantity: NumberMention, holding: Sequence[SourceUnit]) -> SourceUnit | None:
        """Return a unit that carries the statement and gives what the number is of ("3 agents") another number."""
        names = self._neighbours(self._comparison.text, quantity, self._comparison.language)
        if (
            self._comparison.is_foreign
            or not names
            or any(self._shares_name(unit, quantity, names, is_same=True) for unit in holding)
        ):
            return None
        return next(
            (
                unit
                for unit in self._comparison.carrying
                if self._shares_name(unit, quantity, names, is_same=False)
            ),
            None,
        )

    def rival_of_name(self, name: str) -> SourceUnit | None:
        """Return the unit that says of another name what the statement says of this one."""
        home = [
            unit for unit in self._comparison.units if any(has_word(unit, part) for part in parts_of(name))
        ]
        near = {(unit.number, unit.order + step) for unit in home for step in (-1, 0, 1)}
        said = sum(
            self._comparison.stems.get(stem, 0.0)
            for stem in content_stems(words_of(name), self._comparison.language)
        )
        own = max(
            (
                self._comparison.evidence(unit, None) - said
                for unit in self._comparison.units
                if unit_key(unit) in near
            ),
            default=0.0,
        )
        for unit in self._comparison.carrying[:1]:
            is_near = unit in home if unit.cells else unit_key(unit) in near
            if is_near or self._comparison.evidence(unit, None) < _RIVAL_LEAD * own:
                continue
            others = [one for one in self._names_of(unit, home) if not has_text(self._comparison.text, one)]
            if any(not any(has_text(one.text, other) for one in home) for other in others):
                return unit
        return None

    def _shares_name(
        self, unit: SourceUnit, quantity: NumberMention, names: frozenset[str], *, is_same: bool
    ) -> bool:
        """Whether a unit has a number of what `names` are: the same, or one that the statement does not give."""
        for found, beside in self._named_quantities(unit):
            if not beside & names or not found.comparable(quantity):
                continue
            equal = states(found, quantity) or rounds_to(found, quantity)
            if is_same and equal:
                return True
            if (
                not is_same
                and not equal
                and any(found.values)
                and not any(
                    states(found, one) or rounds_to(found, one) for one in self._comparison.quantities
                )
            ):
                return True
        return False

    def _named_quantities(self, unit: SourceUnit) -> Iterator[tuple[NumberMention, frozenset[str]]]:
        if not unit.cells:
            for quantity in unit.quantities:
                yield quantity, self._neighbours(unit.text, quantity, unit.language)
            return
        for cell, column in zip(unit.cells, unit.columns, strict=True):
            head = frozenset(content_stems(words_of(cell.head.replace("_", " ")), unit.language))
            for quantity in column:
                yield quantity, head | self._neighbours(cell.text, quantity, unit.language)

    @staticmethod
    def _neighbours(text: str, quantity: NumberMention, language: str | None) -> frozenset[str]:
        """The stems of the words right before and right behind a number."""
        before = re.search(r"([^\W\d_]{2,})[:\s-]*$", text[: quantity.start])
        behind = re.match(r"[\s-]*([^\W\d_]{2,})", text[quantity.end :])
        words = [match[1] for match in (before, behind) if match and unit_of(match[1]) is None]
        return frozenset(content_stems(words, language))

    def _has_other_value(self, unit: SourceUnit, home: SourceUnit, quantity: NumberMention) -> bool:
        """Whether a unit has a value of the same kind that the statement does not give."""
        candidates = unit.quantities
        if home.cells and unit.cells and home.table == unit.table and home.number == unit.number:
            heads = {
                cell.head
                for cell, column in zip(home.cells, home.columns, strict=True)
                if any(states(one, quantity) or rounds_to(one, quantity) for one in column)
            }
            candidates = [
                one
                for cell, column in zip(unit.cells, unit.columns, strict=True)
                if cell.head in heads
                for one in column
            ]
        elif quantity.unit is None:
            return False
        return any(
            one.comparable(quantity)
            and (one.unit is None) == (quantity.unit is None or (not home.cells and False))
            and not any(states(one, other) or rounds_to(one, other) for other in self._comparison.quantities)
            for one in candidates
        ) or any(
            one.unit is not None
            and not (one.is_word and one.values[0] == 1)
            and one.comparable(quantity)
            and not any(states(one, other) or rounds_to(one, other) for other in self._comparison.quantities)
            for one in candidates
        )

    def _names_of(self, unit: SourceUnit, home: Sequence[SourceUnit]) -> list[str]:
        """The names in a unit; in a record the cells of those columns that have the name elsewhere in the table."""
        if not unit.cells:
            return names_in(masked_dates(unit.text, unit.dates), german=unit.language == "german")
        heads = {
            cell.head
            for other in home
            if other.table == unit.table and other.number == unit.number
            for cell in other.cells
            if any(has_text(cell.text, name) for name in self._comparison.names)
        }
        if not heads and self._comparison.statement.kind is StatementKind.ROW:
            return [name for cell in unit.cells for name in names_in(f"– {cell.text}", german=False)]
        return [cell.text for cell in unit.cells if cell.head in heads]


def parts_of(name: str) -> list[str]:
    """Return the name and its parts between hyphens, one of which may stand for it."""
    return [name, *(part for part in name.split("-") if len(part) > 3 and part != name)]
