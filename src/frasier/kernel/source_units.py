"""The units of a source that a statement is compared with: sentences, items, and records of tables. Pure."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TypeAlias

from frasier.kernel.cell_quantities import amounts_named_in, cell_quantities, head_of, with_unit_of_field
from frasier.kernel.dates import DateMention, find_dates, masked_dates, month_called
from frasier.kernel.language import content_stems, language_of, stem_of, words_of
from frasier.kernel.names import (
    affiliations_in,
    capitalised_words,
    full_names_in,
    has_digit,
    names_used_in,
    parties_in,
    placed_identifiers,
    roles_in,
)
from frasier.kernel.number_mentions import NumberMention
from frasier.kernel.quantities import find_quantities, units_in
from frasier.kernel.records import Cell, cells_of
from frasier.kernel.source_lines import LIST_ITEM, named_values
from frasier.kernel.source_parts import parts_of
from frasier.kernel.source_places import PlaceMark, describe_place
from frasier.kernel.source_subjects import Subjects, subjects_of
from frasier.kernel.unit_names import CLOCK, MeasureUnit, period_of
from frasier.kernel.word_places import grouped, place_of, stems_with_places, token_starts

_WORDS_OF_A_NAME = 2
_MENTIONS_OF_ROLE = 4  # units: a word that occurs in more is no name for one person

Place: TypeAlias = tuple[int, int]
"""A place in a unit: the cell, and the number of the word in it; the name of a cell's column is word -1."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SourceUnit:
    """A sentence, item or record of source `number`, the `order`th of them.

    `context` is what it stands under: title, headings, names of columns. `before` and `after` are its neighbours'
    texts. A record has `cells`, the number of its `table`, and is the `row`th of it. `lines` are the first and the last
    line that it stands in, `path` the headings or keys that lead to it, `marks` those of its source.
    """

    number: int
    order: int
    text: str
    context: str
    language: str | None
    before: str = ""
    after: str = ""
    cells: tuple[Cell, ...] = ()
    table: int = -1
    row: int = 0
    lines: tuple[int, int] = (0, 0)
    path: tuple[str, ...] = ()
    marks: tuple[PlaceMark, ...] = ()
    is_followed_by_rows: bool = False

    @property
    def is_row(self) -> bool:
        return bool(self.cells)

    @property
    def is_head(self) -> bool:
        """Whether the unit only names the columns of the table below it."""
        return not self.cells and self.is_followed_by_rows

    @cached_property
    def fields(self) -> tuple[Cell, ...]:
        """The values with their names: the cells of a record, or those of a line "name: value"."""
        return self.cells or tuple(named_values(self.text))

    @property
    def location(self) -> str:
        """The place in the source, such as "lines 12–14, under Licences" or "row 3"; a record of JSON has no lines."""
        return describe_place(self.lines, row=self.row, path=self.path, marks=self.marks)

    @cached_property
    def quantities(self) -> Sequence[NumberMention]:
        if not self.cells:
            text = _without_marker(masked_dates(self.text, self.dates))
            return with_unit_of_field(find_quantities(text, language=self.language), self.text, self.fields)
        return [quantity for column in self.columns for quantity in column]

    @cached_property
    def columns(self) -> Sequence[Sequence[NumberMention]]:
        """The quantities of each cell, in each unit that the name of its column has."""
        amounts = amounts_named_in(self.context) if self.cells else None
        return [list(cell_quantities(cell, self.language, amounts)) for cell in self.cells]

    @cached_property
    def dates(self) -> Sequence[DateMention]:
        if not self.cells:
            return find_dates(self.text)
        return [date for cell in self.cells for date in (*dates_above(cell.text), *_dates_of_head(cell))]

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the unit itself, in lower case."""
        return frozenset(word.casefold() for word in words_of(self.text))

    @cached_property
    def squeezed(self) -> str:
        """The text without blanks and hyphens, in lower case."""
        return squeezed(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(content_stems(words_of(self.text), self.language))

    @property
    def texts(self) -> Sequence[str]:
        """The texts of the cells, or that of the unit."""
        return [cell.text for cell in self.cells] or [self.text]

    @cached_property
    def _texts(self) -> Sequence[tuple[str, Sequence[int]]]:
        """The texts, each with the places where its words begin."""
        return [(text, token_starts(text)) for text in self.texts]

    @cached_property
    def placed_stems(self) -> Mapping[str, Sequence[Place]]:
        """The places of each stem."""
        heads = [
            (stem, (at, -1))
            for at, cell in enumerate(self.cells)
            for stem in content_stems(words_of(head_of(cell)), self.language)
        ]
        return grouped(
            [
                *(
                    (stem, (at, place))
                    for at, (text, starts) in enumerate(self._texts)
                    for stem, place in stems_with_places(text, self.language, starts)
                ),
                *heads,
            ]
        )

    def places_of(self, name: str) -> Sequence[Place]:
        """The places where the unit has a name or an identifier, in any case."""
        if places := self.placed_names.get(name):
            return places
        return self.placed_stems.get(stem_of(name, self.language), ())

    @cached_property
    def placed_names(self) -> Mapping[str, Sequence[Place]]:
        """The places of each word with a capital and of each identifier, in lower case."""
        return grouped(
            (word.casefold(), (at, place_of(starts, start)))
            for at, (text, starts) in enumerate(self._texts)
            for word, start in (*capitalised_words(text), *placed_identifiers(text))
        )

    @cached_property
    def placed_quantities(self) -> Sequence[tuple[NumberMention, Place]]:
        columns = self.columns if self.cells else [self.quantities]
        return [
            (quantity, (at, place_of(self._texts[at][1], quantity.start)))
            for at, column in enumerate(columns)
            for quantity in column
        ]

    @cached_property
    def placed_dates(self) -> Sequence[tuple[DateMention, Place]]:
        heads = [(date, (at, -1)) for at, cell in enumerate(self.cells) for date in _dates_of_head(cell)]
        return [
            *(
                (date, (at, place_of(starts, date.start)))
                for at, (text, starts) in enumerate(self._texts)
                for date in (dates_above(text) if self.cells else find_dates(text))
            ),
            *heads,
        ]

    @cached_property
    def stems_around(self) -> frozenset[str]:
        """The stems of what the unit stands under and beside."""
        around = f"{self.context} {self.before} {self.after}".replace("_", " ")
        return frozenset(content_stems(words_of(around), self.language))


@lru_cache(maxsize=4096)
def dates_above(text: str) -> Sequence[DateMention]:
    """Return the dates of what many units stand under, such as the name of a column or a heading."""
    return tuple(find_dates(text)) or month_called(text)


def _dates_of_head(cell: Cell) -> Sequence[DateMention]:
    """The dates of the name of a column, or the month that it ends with: "mean_g_mar"."""
    _, is_of_parts, last = cell.head.rpartition("_")
    return dates_above(head_of(cell)) or (month_called(last.capitalize()) if is_of_parts else ())


@dataclass(frozen=True, kw_only=True)
class SourceText:
    """A source, or the passages of it that were read. `marks` are the places of its pages or fragments.

    Of records and logs no language is known: they are `assumed` to be in that of the other sources.
    """

    number: int
    title: str
    text: str
    marks: tuple[PlaceMark, ...] = ()
    assumed_language: str | None = None

    @cached_property
    def units(self) -> Sequence[SourceUnit]:
        parts = list(parts_of(self.text))
        return [
            SourceUnit(
                number=self.number,
                order=at,
                text=part.text,
                context=f"{self.title} {part.context}".strip(),
                language=self.language,
                # The rows of a table say nothing about each other.
                before=parts[at - 1].text if at and not part.cells else "",
                after=parts[at + 1].text if at + 1 < len(parts) and not part.cells else "",
                cells=tuple(part.cells),
                table=part.table,
                row=part.row,
                lines=part.lines,
                path=part.path,
                marks=self.marks,
                is_followed_by_rows=at + 1 < len(parts)
                and parts[at + 1].row == 1
                and bool(cells_of(part.text)),
            )
            for at, part in enumerate(parts)
        ]

    @cached_property
    def subjects(self) -> Mapping[int, Subjects]:
        """Those of whom each unit speaks, whether it names them or not, by its order."""
        return subjects_of(self.units)

    def location_of(self, start: int, end: int) -> str:
        """Return the place of text[start:end], which may be a part of a unit or go over several."""
        first = bisect_right(self._line_starts, start)
        last = bisect_right(self._line_starts, max(start, end - 1))
        at = bisect_right(self._units_by_line, first, key=lambda unit: unit.lines[0]) - 1
        unit = self._units_by_line[at] if at >= 0 else None
        is_in_row = unit is not None and unit.lines[0] <= first <= unit.lines[1]
        return describe_place(
            (first, last),
            row=unit.row if unit and is_in_row else 0,
            path=unit.path if unit else (),
            marks=self.marks,
        )

    @cached_property
    def _line_starts(self) -> Sequence[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    @cached_property
    def _units_by_line(self) -> Sequence[SourceUnit]:
        """The first unit of each line that begins one; records of JSON have none."""
        return [
            next(units)
            for line, units in itertools.groupby(self.units, key=lambda unit: unit.lines[0])
            if line
        ]

    @cached_property
    def told_language(self) -> str | None:
        """The language that the words of the text tell."""
        return language_of(self.text)

    @property
    def language(self) -> str | None:
        return self.told_language or self.assumed_language

    @cached_property
    def units_named(self) -> frozenset[MeasureUnit]:
        """The units and currencies that the source names anywhere."""
        text = f"{self.title} {self.text}".replace("_", " ")
        periods = (period_of(word) for word in words_of(text))
        measured = (one.unit for unit in self.units for one in unit.quantities)
        return frozenset(
            unit for unit in (*units_in(text), *periods, *measured) if unit is not None and unit != CLOCK
        )

    @cached_property
    def unit_names(self) -> frozenset[str]:
        """The names of the units and currencies that the source names anywhere."""
        return frozenset(unit.name for unit in self.units_named)

    @cached_property
    def currencies(self) -> frozenset[str]:
        """The names of the currencies that the source names anywhere."""
        return frozenset(unit.name for unit in self.units_named if unit.dimension.startswith("currency "))

    @cached_property
    def years(self) -> frozenset[int]:
        """The years that the source or its title names, the second of "2024/25" as well."""
        text = f"{self.title} {self.text}"
        named = {int(year) for year in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", text)}
        return frozenset(named | {year + 1 for year in named if f"{year}/{(year + 1) % 100:02}" in text})

    @cached_property
    def squeezed(self) -> str:
        """Title and text without blanks and hyphens, in lower case."""
        return squeezed(f"{self.title} {self.text}")

    @cached_property
    def words(self) -> str:
        """The words and numbers of the text in lower case, with one blank between them."""
        return " ".join(words_and_numbers(self.text))


@dataclass(frozen=True, kw_only=True)
class Sources:
    """The sources of a deliverable by number, and how often each stem occurs in their units."""

    by_number: Mapping[int, SourceText]

    def __post_init__(self) -> None:
        assumed = {
            number: source if source.told_language else replace(source, assumed_language=self.language)
            for number, source in self.by_number.items()
        }
        object.__setattr__(self, "by_number", assumed)

    @cached_property
    def only_currency(self) -> str | None:
        """The currency of the sources, if all that name one name the same."""
        named = frozenset().union(*(source.currencies for source in self.by_number.values()))
        return next(iter(named)) if len(named) == 1 else None

    @cached_property
    def frequencies(self) -> Counter[str]:
        return Counter(
            stem for source in self.by_number.values() for unit in source.units for stem in unit.stems
        )

    @cached_property
    def aliases(self) -> Mapping[str, frozenset[str]]:
        """For each name what stands for it elsewhere: the rest of a full name, or another name in its record."""
        aliases: dict[str, set[str]] = {}
        units = [unit for source in self.by_number.values() for unit in source.units]
        groups = [names for unit in units for cell in unit.texts for names in full_names_in(cell)]
        records = [self._names_of_cells(unit) for unit in units if unit.cells]
        in_records = Counter(name for record in records for name in record)
        groups += [[name for name in record if in_records[name] == 1] for record in records]
        for group in groups:
            for first, second in itertools.permutations(group, 2):
                aliases.setdefault(first, set()).add(second)
        for name, role in (pair for unit in units for pair in roles_in(unit.text)):
            if self.frequencies[stem_of(role, self.language)] <= _MENTIONS_OF_ROLE:
                aliases.setdefault(name, set()).add(role)
        named = [parties_in(unit.text) for unit in units]
        named += [affiliations_in(source.text) for source in self.by_number.values()]
        for name, other in itertools.chain.from_iterable(named):
            aliases.setdefault(name, set()).add(other)
        return {name: frozenset(others) for name, others in aliases.items()}

    def _names_of_cells(self, unit: SourceUnit) -> AbstractSet[str]:
        """The names of the cells of a record that name one only; what lists several names tells nothing of one."""
        by_cell: dict[int, set[str]] = {}
        for name in self.names_in(unit):
            for cell, _ in unit.placed_names[name]:
                by_cell.setdefault(cell, set()).add(name)
        return set().union(*(names for names in by_cell.values() if len(names) <= _WORDS_OF_A_NAME))

    def names_in(self, unit: SourceUnit) -> AbstractSet[str]:
        """The names and identifiers that a unit has, in lower case."""
        return {name for name in unit.placed_names if name in self.names or has_digit(name)}

    @cached_property
    def names(self) -> frozenset[str]:
        """The words, in lower case, that the sources use as names."""
        return names_used_in(
            (masked_dates(text, find_dates(text)), (unit.language or self.language) == "german")
            for source in self.by_number.values()
            for unit in source.units
            for text in unit.texts
        )

    @cached_property
    def language(self) -> str | None:
        """The language of most sources."""
        languages = Counter(
            source.told_language for source in self.by_number.values() if source.told_language
        )
        return languages.most_common(1)[0][0] if languages else None

    @cached_property
    def count(self) -> int:
        return sum(len(source.units) for source in self.by_number.values())


def _without_marker(text: str) -> str:
    """Return `text`, of the same length, without the number of a list item."""
    marker = LIST_ITEM.match(text)
    return " " * marker.end() + text[marker.end() :] if marker else text


def squeezed(text: str) -> str:
    """Return `text` in lower case, without blanks, hyphens and underscores."""
    return re.sub(r"[\s_-]+", "", text.casefold())


def words_and_numbers(text: str) -> list[str]:
    """Return the words, numbers and symbols of units of `text` in lower case, without punctuation."""
    return re.findall(r"\w+|[%‰€$£¥]", text.casefold())
