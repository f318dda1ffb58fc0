"""The text of an Excel workbook: each visible sheet under its name, with its rows as those of CSV files."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from frasier.kernel.errors import SourceError

from .archive_check import check_archive
from .number_formats import NumberFormat, built_in_format, parse_format
from .parsed import Parsed
from .sheet_rows import MergedRange, Row, SheetCell, render_rows

_WORKBOOK = "xl/workbook.xml"
_SHEETS_MAX = 200
_SPANS_MAX = 5_000
_REFERENCE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT_RELATION = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"
_TRUE = {"1", "true"}


def parse_xlsx(data: bytes, *, rows_max: int, chars_max: int) -> Parsed:
    """Read the visible sheets, of each the first `rows_max` rows. Raises SourceError, whose message is a predicate."""
    check_archive(data, part=_WORKBOOK, kind="an XLSX file")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        book = _Workbook(archive, rows_max)
        sections: list[str] = []
        length = 0
        for name, part in book.visible_sheets():
            if length > chars_max:
                book.notes.append(f"sheet “{name}” and those after it were left out")
                break
            text = "\n".join(book.read_sheet(name, part))
            if text:
                sections.append(f"## {' '.join(name.split())}\n\n{text}")
                length += len(text)
    if not sections:
        raise SourceError("holds no text in its visible sheets")
    return Parsed(title="", text="\n\n".join(sections), notes=tuple(book.notes))


@dataclass(slots=True)
class _Sheet:
    """The rows and merged ranges of a sheet, and the counts of what is left out."""

    rows: list[tuple[int, Row]] = field(default_factory=list)
    spans: list[MergedRange] = field(default_factory=list)
    hidden_columns: set[int] = field(default_factory=set)
    hidden_rows: int = 0
    left_out: int = 0
    uncomputed: int = 0


class _Workbook:
    """A workbook: its sheets, and the strings and formats that these share."""

    def __init__(self, archive: zipfile.ZipFile, rows_max: int) -> None:
        self._archive = archive
        self._rows_max = rows_max
        self._names = set(archive.namelist())
        self._book = self._tree(_WORKBOOK)
        properties = self._book.find("{*}workbookPr")
        self._is_1904 = properties is not None and properties.get("date1904", "") in _TRUE
        self._strings = list(self._read_strings())
        self._formats = list(self._read_formats())
        self.notes: list[str] = []

    def visible_sheets(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the part of each visible worksheet; the others become notes."""
        relations = {
            relation.get("Id"): (relation.get("Type", ""), relation.get("Target", ""))
            for relation in self._tree("xl/_rels/workbook.xml.rels").findall("{*}Relationship")
        }
        hidden, others = [], []
        sheets = self._book.findall("{*}sheets/{*}sheet")
        for sheet in sheets[:_SHEETS_MAX]:
            name = sheet.get("name", "")
            kind, target = relations.get(sheet.get(_RELATION) or sheet.get(_STRICT_RELATION), ("", ""))
            part = posixpath.normpath(posixpath.join("xl", target)).lstrip("/")
            if sheet.get("state", "visible") != "visible":
                hidden.append(f"“{name}”")
            elif not kind.endswith("/worksheet") or part not in self._names:
                others.append(f"“{name}”")
            else:
                yield name, part
        if hidden:
            self.notes.append(f"hidden sheets were left out: {', '.join(hidden)}")
        if others:
            self.notes.append(f"sheets without cells were left out: {', '.join(others)}")
        if len(sheets) > _SHEETS_MAX:
            self.notes.append(f"only the first {_SHEETS_MAX} of {len(sheets):,} sheets were read")

    def read_sheet(self, name: str, part: str) -> list[str]:
        """Return the lines of a worksheet, and note what was left out of it."""
        sheet = _Sheet()
        number = 0
        for element in self._elements(part, "col", "row", "mergeCell"):
            kind = etree.QName(element).localname
            if kind == "row":
                number = int(element.get("r") or number + 1)
                self._take_row(sheet, number, element)
            elif kind == "col" and element.get("hidden", "") in _TRUE:
                sheet.hidden_columns.update(range(int(element.get("min")), int(element.get("max")) + 1))
            elif kind == "mergeCell" and len(sheet.spans) < _SPANS_MAX:
                sheet.spans.extend(_span(element.get("ref", "")))
        self._note(name, sheet)
        return list(render_rows(sheet.rows, sheet.spans))

    def _take_row(self, sheet: _Sheet, number: int, element: Any) -> None:
        row: Row = {}
        column = 0
        for cell in element.iterfind("{*}c"):
            match = _REFERENCE.fullmatch(cell.get("r", ""))
            column = _column(match[1]) if match else column + 1
            if column not in sheet.hidden_columns and (shown := self._cell(sheet, cell)) and shown.text:
                row[column] = shown
        if not row:
            return
        if element.get("hidden", "") in _TRUE:
            sheet.hidden_rows += 1
        elif len(sheet.rows) == self._rows_max:
            sheet.left_out += 1
        else:
            sheet.rows.append((number, row))

    def _cell(self, sheet: _Sheet, cell: Any) -> SheetCell | None:
        kind = cell.get("t", "n")
        value = cell.findtext("{*}v")
        if kind == "inlineStr":
            return SheetCell(_plain(cell.find("{*}is")), is_text=True)
        if value is None:
            sheet.uncomputed += cell.find("{*}f") is not None
            return None
        match kind:
            case "s":
                return SheetCell(self._strings[int(value)], is_text=True)
            case "str":
                return SheetCell(" ".join(value.split()), is_text=True)
            case "b":
                return SheetCell("yes" if value in _TRUE else "no", is_text=False)
            case "e" | "d":
                return SheetCell(value, is_text=False)
            case _:
                style = int(cell.get("s", 0))
                shown = self._formats[style] if style < len(self._formats) else NumberFormat()
                return SheetCell(shown.show(float(value), is_1904=self._is_1904).strip(), is_text=False)

    def _note(self, name: str, sheet: _Sheet) -> None:
        used = {column for _, row in sheet.rows for column in row}
        last = max(used, default=0)
        columns = sum(column <= last for column in sheet.hidden_columns)
        counted = {
            f"rows after the first {self._rows_max:,} left out": sheet.left_out,
            "hidden rows left out": sheet.hidden_rows,
            "hidden columns left out": columns,
            "formulas without a stored result (open and save the workbook in a spreadsheet program)": sheet.uncomputed,
        }
        self.notes.extend(f"sheet “{name}”: {what}: {count:,}" for what, count in counted.items() if count)

    def _read_strings(self) -> Iterator[str]:
        for element in self._elements("xl/sharedStrings.xml", "si"):
            yield _plain(element)

    def _read_formats(self) -> Iterator[NumberFormat]:
        if "xl/styles.xml" not in self._names:
            return
        tree = self._tree("xl/styles.xml")
        codes = {
            int(one.get("numFmtId")): parse_format(one.get("formatCode", ""))
            for one in tree.findall("{*}numFmts/{*}numFmt")
        }
        for style in tree.findall("{*}cellXfs/{*}xf"):
            number = int(style.get("numFmtId", 0))
            yield codes.get(number) or built_in_format(number)

    def _tree(self, part: str) -> Any:
        with self._archive.open(part) as opened:
            parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
            return etree.parse(opened, parser).getroot()

    def _elements(self, part: str, *names: str) -> Iterator[Any]:
        """Yield the elements of these names of a part, each emptied after its use."""
        if part not in self._names:
            return
        with self._archive.open(part) as opened:
            tags = [f"{{*}}{name}" for name in names]
            for _, element in etree.iterparse(
                opened, tag=tags, resolve_entities=False, no_network=True, load_dtd=False
            ):
                yield element
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]


def _plain(element: Any) -> str:
    """Return the text of a string, without the guides to its pronunciation."""
    texts = (
        one.text or "" for one in element.iter("{*}t") if etree.QName(one.getparent()).localname != "rPh"
    )
    return " ".join("".join(texts).split())


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _span(reference: str) -> Iterator[MergedRange]:
    corners = [_REFERENCE.fullmatch(corner) for corner in reference.split(":")]
    match corners:
        case [re.Match() as first, re.Match() as last]:
            yield MergedRange(int(first[2]), _column(first[1]), int(last[2]), _column(last[1]))
