"""The records of a source: rows of a table, blocks of names with values, sections of things of one kind. Pure.

A statement names a record by a value of it in a column whose values are names, such as its product or its number.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from frasier.kernel.language import stem_of
from frasier.kernel.language_words import word_pattern
from frasier.kernel.names import has_digit
from frasier.kernel.quantities import find_quantities
from frasier.kernel.source_units import SourceText, SourceUnit

_NAME_WORDS_MAX = 4  # a column with a longer cell has remarks
PART_MIN = 3  # letters of the stem of a word that stands for a name of several; of a number one more
TOTAL = word_pattern(
    r"total\w*|sum|sums|all|overall|summe|gesamt\w*|insgesamt|ensemble|somme|suma|somma|totaal|samen|average|mean|mittel"
)
_NUMBERED = re.compile(r"(?P<kind>[^\W\d_]+)\s(?P<number>\d{1,4}|[A-Z])")
_JOINING = frozenset({"and", "und", "y", "et", "e", "en", "or", "oder", "ou", "o"})
_OF_A_MAIL = re.compile(r"from|to|cc|von|an|de|à|para|da|a|van|aan", re.IGNORECASE)
_REST = re.compile(r"[(,;:–—]")  # what begins the rest of a heading behind a name


@dataclass(frozen=True)
class Record:
    """Units that speak of one thing, with the names of it by their columns."""

    units: tuple[SourceUnit, ...]
    names: Mapping[str, str]

    @property
    def is_total(self) -> bool:
        """Whether it sums up others."""
        return any(TOTAL.search(name) for name in self.names.values())


@dataclass(frozen=True)
class Table:
    """Records of one kind in one source."""

    records: Sequence[Record]

    @cached_property
    def columns(self) -> Sequence[str]:
        """The columns whose values are short names, and not all the same."""
        heads = dict.fromkeys(head for record in self.records for head in record.names)
        return [head for head in heads if self._has_names(head)]

    def _has_names(self, head: str) -> bool:
        values = [record.names.get(head, "") for record in self.records]
        return (
            not _OF_A_MAIL.fullmatch(head)
            and len(set(values)) > 1
            and all(_is_name(value) for value in values)
        )


@dataclass(frozen=True)
class StatedNames:
    """The records of a table that a statement names in one column, and those of which it has a part at least."""

    named: frozenset[int]
    mentioned: frozenset[int]


def tables_of(source: SourceText, names: Collection[str]) -> Iterator[Table]:
    """Yield the tables of a source that have more than one record; `names` are words that are used as names."""
    units = source.units
    rows: dict[tuple[object, ...], list[Record]] = defaultdict(list)
    for unit in units:
        if unit.cells:
            cells = {cell.head or str(at): cell.text for at, cell in enumerate(unit.cells)}
            rows[unit.table, unit.path].append(Record((unit,), cells))
    others = itertools.chain(_blocks(units), _sections(units, names), _labelled(units, names))
    for key, record in others:
        rows[key].append(record)
    return (Table(records) for records in rows.values() if len(records) > 1)


def _blocks(units: Sequence[SourceUnit]) -> Iterator[tuple[tuple[object, ...], Record]]:
    """The blocks of lines "name: value", by the name that they begin with."""
    block: list[SourceUnit] = []
    for unit in [*units, None]:
        goes_on = (
            unit is not None
            and not unit.cells
            and len(unit.fields) == 1
            and (not block or block[-1].lines[1] + 1 == unit.lines[0])
        )
        if not goes_on and block:
            fields = {field.head: field.text for each in block for field in each.fields}
            if len(block) > 1:
                yield ("block", block[0].fields[0].head), Record(tuple(block), fields)
            block = []
        if unit is not None and not unit.cells and len(unit.fields) == 1:
            block.append(unit)


def _sections(
    units: Sequence[SourceUnit], names: Collection[str]
) -> Iterator[tuple[tuple[object, ...], Record]]:
    """The sections whose headings are names, or differ in a number alone ("Unit 1", "Unit 2"), with what they hold."""
    by_path: dict[tuple[str, ...], list[SourceUnit]] = defaultdict(list)
    for unit in units:
        for depth in range(len(unit.path)):
            by_path[unit.path[: depth + 1]].append(unit)
    for path, held in by_path.items():
        name = _name_part(path[-1])
        if numbered := _NUMBERED.fullmatch(name):
            yield ("section", path[:-1], numbered["kind"]), Record(tuple(held), {"": name})
        elif name and all(word in names for word in name.casefold().split()):
            yield ("section", path[:-1]), Record(tuple(held), {"": name})


def _name_part(heading: str) -> str:
    return _REST.split(heading, maxsplit=1)[0].strip()


def _labelled(
    units: Sequence[SourceUnit], names: Collection[str]
) -> Iterator[tuple[tuple[object, ...], Record]]:
    """The paragraphs that begin with a name and a colon ("Northgate (Leeds): …"), with all their sentences."""
    for lines, held in itertools.groupby(units, key=lambda unit: unit.lines):
        first, *rest = held
        if first.cells or len(first.fields) != 1 or not lines[0] or ":" not in first.text:
            continue
        name = _name_part(first.fields[0].head)
        if name and all(word in names or has_digit(word) for word in name.casefold().split()):
            yield ("label", first.path), Record((first, *rest), {"": name})


def stated_names(
    table: Table, column: str, words: Sequence[str], parts: Collection[str], language: str | None
) -> StatedNames:
    """Return the records that the words of a statement name in a column; `parts` are those that may be part of a name.

    A word of a date is none: "2026-05-03" names no "A-2026".
    """
    written = [record.names[column] for record in table.records]
    values = [tuple(name_words(name, language)) for name in written]
    short = [tuple(name_words(_name_part(name), language)) for name in written]
    shorts = Counter(short)
    counts = Counter(word for value in set(values) for word in set(value))
    named: set[int] = set()
    mentioned: set[int] = set()
    for at, value in enumerate(values):
        own = [word for word in value if counts[word] == 1 and len(word) >= PART_MIN + (not word.isalpha())]
        is_short = shorts[short[at]] == 1 and short[at] and has_phrase(words, short[at])
        if has_phrase(words, value) or is_short or any(word in parts for word in own[-1:]):
            named.add(at)
        elif (
            (set(value).issubset(words) and not has_digit(" ".join(value)))
            or _is_numbered(short[at], words)
            or any(word in parts for word in own)
        ):
            mentioned.add(at)
    return StatedNames(frozenset(named), frozenset(named | mentioned))


def _is_numbered(name: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a statement has a name such as "Room 2" in a row of its kind: "rooms 1 and 2"."""
    if len(name) != 2 or not name[1].isdigit():
        return False
    kinds = (at for at, word in enumerate(words) if word == name[0])
    rows = [
        tuple(itertools.takewhile(lambda word: word.isdigit() or word in _JOINING, words[at + 1 :]))
        for at in kinds
    ]
    return any(name[1] in row and not _JOINING.isdisjoint(row) for row in rows)


def name_words(text: str, language: str | None) -> Iterator[str]:
    """Yield the stems of the words and numbers of a name."""
    return (stem_of(match[0], language) for match in re.finditer(r"\w+", text.casefold()))


def has_phrase(words: Sequence[str], phrase: Sequence[str]) -> bool:
    """Return whether the words have those of the phrase in a row."""
    length = len(phrase)
    return any(tuple(words[at : at + length]) == tuple(phrase) for at in range(len(words) - length + 1))


def _is_name(value: str) -> bool:
    """Whether a value is short, has a word, and is no amount."""
    words = re.findall(r"\w+", value)
    return (
        0 < len(words) <= _NAME_WORDS_MAX
        and len(value) > 1
        and any(character.isalpha() for character in value)
        and not any(one.start == 0 and value[one.end :][:1] in {"", "/"} for one in find_quantities(value))
    )
