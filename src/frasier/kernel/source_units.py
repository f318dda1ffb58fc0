"""The units of a source that a statement is compared with: sentences, items, and records of tables. Pure."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from frasier.kernel.dates import DateMention, find_dates
from frasier.kernel.language import content_stems, language_of, words_of
from frasier.kernel.quantities import NumberMention, find_quantities, units_in
from frasier.kernel.records import (
    Cell,
    cells_of,
    cells_under,
    is_head,
    is_table_rule,
    json_records,
)
from frasier.kernel.sentences import split_sentences
from frasier.kernel.unit_names import MeasureUnit

_HEADING = re.compile(r"^(?:#{1,6}\s+)(?P<text>.+)$")
_LIST_ITEM = re.compile(r"^(?:[-*+•]|\d{1,3}[.)])\s+")
_NAMED_VALUE = re.compile(r"^[^\W\d_][\w ()/.-]{0,40}:\s")
_TIMESTAMP = re.compile(r"^\[?\d{4}-\d{2}-\d{2}[T ]\d")
_WRAPPED_CHARS_MIN = 50  # a shorter line was ended on purpose


@dataclass(frozen=True, kw_only=True)
class SourceUnit:
    """A sentence, item or record of source `number`.

    `context` is what it stands under: title, headings, names of columns. `before` and `after` are its neighbours'
    texts. A record has `cells` and the number of its `table`.
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

    @property
    def is_row(self) -> bool:
        return bool(self.cells)

    @cached_property
    def quantities(self) -> Sequence[NumberMention]:
        if not self.cells:
            return find_quantities(_without_marker(masked_dates(self.text, self.dates)))
        return [quantity for column in self.columns for quantity in column]

    @cached_property
    def columns(self) -> Sequence[Sequence[NumberMention]]:
        """The quantities of each cell, in each unit that the name of its column has."""
        return [list(_cell_quantities(cell)) for cell in self.cells]

    @cached_property
    def dates(self) -> Sequence[DateMention]:
        if not self.cells:
            return find_dates(self.text)
        return [
            date
            for cell in self.cells
            for text in (cell.text, cell.head.replace("_", " "))
            for date in find_dates(text)
        ]

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

    @cached_property
    def stems_around(self) -> frozenset[str]:
        """The stems of what the unit stands under and beside."""
        around = f"{self.context} {self.before} {self.after}".replace("_", " ")
        return frozenset(content_stems(words_of(around), self.language))


def _cell_quantities(cell: Cell) -> Iterator[NumberMention]:
    head = cell.head.replace("_", " ")
    head_units = units_in(head)
    yield from find_quantities(masked_dates(head, find_dates(head)))
    for quantity in find_quantities(masked_dates(cell.text, find_dates(cell.text))):
        if quantity.unit is not None or not head_units:
            yield quantity
        else:
            yield from (replace(quantity, unit=unit) for unit in head_units)
            if all(unit.dimension in {"time", "months"} for unit in head_units):
                yield quantity  # "days" may also be what is counted


@dataclass(frozen=True, kw_only=True)
class SourceText:
    """A source, or the passages of it that were read."""

    number: int
    title: str
    text: str

    @cached_property
    def units(self) -> Sequence[SourceUnit]:
        parts = list(_parts(self.text))
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
            )
            for at, part in enumerate(parts)
        ]

    @cached_property
    def language(self) -> str | None:
        return language_of(self.text)

    @cached_property
    def units_named(self) -> frozenset[MeasureUnit]:
        """The units and currencies that the source names anywhere."""
        return frozenset(units_in(f"{self.title} {self.text}".replace("_", " ")))

    @cached_property
    def unit_names(self) -> frozenset[str]:
        """The names of the units and currencies that the source names anywhere."""
        return frozenset(unit.name for unit in self.units_named)

    @cached_property
    def years(self) -> frozenset[int]:
        """The years that the source or its title names."""
        return frozenset(
            int(year) for year in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", f"{self.title} {self.text}")
        )

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

    @cached_property
    def frequencies(self) -> Counter[str]:
        return Counter(
            stem for source in self.by_number.values() for unit in source.units for stem in unit.stems
        )

    @cached_property
    def language(self) -> str | None:
        """The language of most sources."""
        languages = Counter(source.language for source in self.by_number.values() if source.language)
        return languages.most_common(1)[0][0] if languages else None

    @cached_property
    def count(self) -> int:
        return sum(len(source.units) for source in self.by_number.values())


def masked_dates(text: str, dates: Sequence[DateMention]) -> str:
    """Return `text` with blanks in the place of its dates, so that their digits are no quantities."""
    for date in dates:
        text = text[: date.start] + " " * (date.end - date.start) + text[date.end :]
    return text


def _without_marker(text: str) -> str:
    """Return `text`, of the same length, without the number of a list item."""
    marker = _LIST_ITEM.match(text)
    return " " * marker.end() + text[marker.end() :] if marker else text


def squeezed(text: str) -> str:
    """Return `text` in lower case, without blanks, hyphens and underscores."""
    return re.sub(r"[\s_-]+", "", text.casefold())


def words_and_numbers(text: str) -> list[str]:
    """Return the words and numbers of `text` in lower case, without punctuation."""
    return re.findall(r"\w+", text.casefold())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    text: str
    context: str = ""
    cells: Sequence[Cell] = field(default_factory=tuple)
    table: int = -1


def _parts(text: str) -> Iterator[_Part]:
    """The units of a text, each with the heading and the head of the table that it stands under."""
    if (records := json_records(text)) is not None:
        for path, cells in records:
            heads = " ".join(cell.head for cell in cells)
            line = ", ".join(f"{cell.head}: {cell.text}" if cell.head else cell.text for cell in cells)
            yield _Part(text=line.replace("_", " "), context=f"{path} {heads}".strip(), cells=cells, table=0)
        return
    heading = ""
    head: Sequence[str] = ()
    table = 0
    lines = list(_joined_lines(text))
    for at, line in enumerate(lines):
        if not line:
            head = ()
            continue
        if is_table_rule(line):
            continue
        if (match := _HEADING.match(line)) and not head:
            heading = match["text"]
            yield _Part(text=line)
            continue
        row = cells_under(head, line) if head else cells_of(line)
        following = lines[at + 1] if at + 1 < len(lines) else ""
        if row and head:
            named = [
                Cell(head=name, text=cell)
                for name, cell in itertools.zip_longest(head[: len(row)], row, fillvalue="")
            ]
            yield _Part(text=line, context=f"{heading} {' '.join(head)}", cells=named, table=table)
            continue
        if is_head(line) and (is_table_rule(following) or len(cells_under(row, following)) >= len(row)):
            head, table = row, table + 1
            yield _Part(text=line, context=heading)
            continue
        if row:
            yield _Part(text=line, context=heading)
            continue
        if not line.startswith("#"):
            head = ()
        for sentence in split_sentences(line):
            yield _Part(text=sentence, context=heading)


def _joined_lines(text: str) -> Iterator[str]:
    """The lines of a text, with those of a wrapped paragraph or item as one."""
    line = ""
    for raw in [*text.splitlines(), ""]:
        following = raw.strip()
        if line and following and _continues(line, raw):
            line = f"{line} {following}"
        else:
            yield line
            line = following
    yield ""


def _continues(line: str, raw: str) -> bool:
    """Return whether the line `raw` goes on with what `line` began: a full one, or one that ends within a sentence."""
    following = raw.strip()
    if _is_own_line(following) or _LIST_ITEM.match(following) or _HEADING.match(line) or cells_of(line):
        return False
    if _TIMESTAMP.match(line):
        return False
    is_within = not line.endswith((".", "!", "?", ":", ";")) and (
        raw[:1].isspace() or following[:1].islower()
    )
    return (len(line) >= _WRAPPED_CHARS_MIN and not _NAMED_VALUE.match(line)) or is_within


def _is_own_line(line: str) -> bool:
    """Return whether the line is a heading, a row, one of name and value, or one of a log."""
    return bool(_HEADING.match(line) or cells_of(line) or _NAMED_VALUE.match(line) or _TIMESTAMP.match(line))
