"""The parts of a text that make its units: sentences, items and records, with what they stand under. Pure."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from frasier.kernel.aligned_tables import with_bars
from frasier.kernel.records import (
    Cell,
    cells_of,
    cells_under,
    is_head,
    is_table_rule,
    json_records,
    named_cells,
)
from frasier.kernel.sentences import split_sentences
from frasier.kernel.source_lines import HEADING, SourceLine, joined_lines

_CAPTION_CHARS_MAX = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    text: str
    context: str = ""
    cells: Sequence[Cell] = field(default_factory=tuple)
    table: int = -1
    row: int = 0
    lines: tuple[int, int] = (0, 0)
    path: tuple[str, ...] = ()


def parts_of(text: str) -> Iterator[Part]:
    """The units of a text, each with the heading and the head of the table that it stands under."""
    records = json_records(text)
    return _PartReader(text).parts() if records is None else _record_parts(records)


def _record_parts(records: Sequence[tuple[str, Sequence[Cell]]]) -> Iterator[Part]:
    rows: Counter[str] = Counter()
    for path, cells in records:
        rows[path] += 1
        heads = " ".join(cell.head for cell in cells)
        line = ", ".join(f"{cell.head}: {cell.text}" if cell.head else cell.text for cell in cells)
        yield Part(
            text=line.replace("_", " "),
            context=f"{path} {heads}".strip(),
            cells=cells,
            table=0,
            row=rows[path],
            path=(path,) if path else (),
        )


class _PartReader:
    """Reads the lines of a text, and remembers the headings and the head of the table that they stand under."""

    def __init__(self, text: str) -> None:
        self._lines = list(joined_lines(with_bars(text)))
        self._written = text.splitlines()
        self._headings: list[tuple[int, str]] = []
        self._head: Sequence[str] = ()
        self._names_cells = False
        self._table = self._row = 0
        self._caption = ""

    def parts(self) -> Iterator[Part]:
        for at, line in enumerate(self._lines):
            before = self._lines[at - 1].text if at else ""
            following = self._lines[at + 1].text if at + 1 < len(self._lines) else ""
            if not line.text:
                self._head, self._names_cells = (), False
            elif (heading := HEADING.match(line.text)) and not self._head:
                level = len(heading["marks"])
                outer = [one for one in self._headings if one[0] < level]
                self._headings = [*outer, (level, heading["text"])]
                yield self._part(line, line.text, context="")
            elif not is_table_rule(line.text):
                yield from self._row_or_sentences(line, before, following)

    def _row_or_sentences(self, line: SourceLine, before: str, following: str) -> Iterator[Part]:
        text = line.text
        if not self._head and (named := named_cells(text)):
            self._table, self._row = (
                (self._table, self._row + 1) if self._names_cells else (self._table + 1, 1)
            )
            self._names_cells = True
            heads = " ".join(cell.head for cell in named)
            part = self._part(line, text, context=f"{self._heading} {heads}")
            yield replace(part, cells=named, table=self._table, row=self._row)
            return
        self._names_cells = False
        row = cells_under(self._head, text) if self._head else cells_of(text)
        if row and self._head:
            self._row += 1
            cells = [
                Cell(head=name, text=cell)
                for name, cell in itertools.zip_longest(self._head[: len(row)], row, fillvalue="")
            ]
            yield replace(
                self._part(line, text, context=f"{self._heading} {self._caption} {' '.join(self._head)}"),
                cells=cells,
                table=self._table,
                row=self._row,
            )
        elif row:
            if is_head(text) and (is_table_rule(following) or len(cells_under(row, following)) >= len(row)):
                self._head, self._table, self._row = row, self._table + 1, 0
                self._caption = before if _is_caption(before) else ""
            yield self._part(line, text, context=self._heading)
        else:
            if not text.startswith("#"):
                self._head = ()
            start = 0
            for sentence in split_sentences(text):
                start = max(start, text.find(sentence, start))
                yield self._part(line, sentence, context=self._heading, start=start)
                start += len(sentence)

    @property
    def _heading(self) -> str:
        return self._headings[-1][1] if self._headings else ""

    def _part(self, line: SourceLine, text: str, *, context: str, start: int = 0) -> Part:
        is_row_of_bars = text.startswith("|") and text == line.text
        return Part(
            text=self._written[line.first - 1].strip() if is_row_of_bars else text,
            context=f"{context} {line.under}".strip(),
            lines=line.lines_of(start, start + len(text)),
            path=tuple(text for _, text in self._headings),
        )


def _is_caption(line: str) -> bool:
    """Whether a line right above a table may be what the table is called."""
    return len(line) <= _CAPTION_CHARS_MAX and not (
        line.endswith((".", "!", "?")) or HEADING.match(line) or cells_of(line)
    )
