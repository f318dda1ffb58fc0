"""The tables of a mission's results as CSV and XLSX, which have all rows, and the words that each cell rests on."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from frasier.interfaces.deliverable_rendering.provenance import Dossier
from frasier.interfaces.deliverable_rendering.spreadsheet_cells import spreadsheet_cells
from frasier.kernel.cell_values import Value
from frasier.org.missions import ResultTable

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

# A spreadsheet would compute what begins like this, also behind blanks and quotes, and in full width.
_FORMULA = re.compile(r"[\s\"']*[=+\-@＝＋－＠]|[\t\r\n]")
# A program whose list separator is another one would begin a new cell there.
_SEPARATORS = re.compile(r"[,;\t|\"\r\n]")
_WIDTH_MAX = 60


def table_files(dossier: Dossier) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file, of the latest version of every step with a table."""
    titles = _names(dossier)
    planned = {step.task_id: step.table.columns for step in dossier.steps}
    for versions in dossier.deliverables.values():
        if (table := versions[-1].table) is None:
            continue
        task_id = versions[-1].task_id
        name = dossier.tasks[task_id].slug
        kinds = {column.name: column.kind for column in planned.get(task_id, ())}
        head = ["source", "document", *table.columns]
        rows = [
            [str(row.source), titles.get(row.source, ""), *(cell.value for cell in row.cells)]
            for row in table.rows
        ]
        if any(row.revoked_by is not None for row in table.rows):
            head.append("revoked_by")
            for cells, row in zip(rows, table.rows, strict=True):
                cells.append(
                    "" if row.revoked_by is None else titles.get(row.revoked_by, str(row.revoked_by))
                )
        yield f"tables/{name}.csv", as_csv([head, *rows])
        yield f"tables/{name}.xlsx", _as_xlsx(table, head, rows, kinds)


def table_names(dossier: Dossier) -> Iterator[str]:
    """Yield the names of the files, without making them."""
    for versions in dossier.deliverables.values():
        if versions[-1].table is not None:
            name = dossier.tasks[versions[-1].task_id].slug
            yield from (f"tables/{name}.csv", f"tables/{name}.xlsx")


def _names(dossier: Dossier) -> dict[int, str]:
    """Return the titles of the sources by number; of those with the same title, their places."""
    counts = Counter(source.name for source in dossier.sources)
    return {
        source.number: source.name if counts[source.name] == 1 else source.uri for source in dossier.sources
    }


def as_csv(lines: Sequence[Sequence[Value | None]]) -> bytes:
    """Write the lines with a byte order mark, by which spreadsheets know UTF-8; formulas become text."""
    return "".join(",".join(map(_csv_cell, line)) + "\r\n" for line in lines).encode("utf-8-sig")


def _csv_cell(cell: Value | None) -> str:
    text = "" if cell is None else str(cell)
    if isinstance(cell, str) and _FORMULA.match(cell):
        text = f"'{text}"
    doubled = text.replace('"', '""')
    return f'"{doubled}"' if _SEPARATORS.search(text) else text


def _as_xlsx(
    table: ResultTable, head: Sequence[str], rows: Sequence[Sequence[str]], kinds: Mapping[str, str]
) -> bytes:
    """Write a workbook with the table, the quotations of its cells, and what could not be examined.

    In columns of these `kinds` numbers and days are such; formulas are text.
    """
    import xlsxwriter  # noqa: PLC0415 (only for tables)

    quotations = [
        [*row[:2], *(cell.quotation for cell in read.cells), *row[2 + len(read.cells) :]]
        for row, read in zip(rows, table.rows, strict=True)
    ]
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as workbook:
        sheets = {"Table": [head, *rows], "Quotations": [head, *quotations]}
        if table.failed or table.partial:
            sheets["Not examined"] = [["document"], *([reason] for reason in (*table.failed, *table.partial))]
        formats = _Formats(workbook)
        for name, lines in sheets.items():
            own = {"source": "number", **(kinds if name == "Table" else {})}
            _write_sheet(workbook.add_worksheet(name), lines, own, formats)
    return file.getvalue()


class _Formats:
    """The formats of a workbook, each made once."""

    def __init__(self, workbook: Workbook) -> None:
        self._workbook = workbook
        self._cells: dict[str, Format] = {}
        self.head = workbook.add_format({"bold": True, "bottom": 1})

    def of(self, number_format: str) -> Format:
        if number_format not in self._cells:
            form = {"num_format": number_format} if number_format else {"text_wrap": True}
            self._cells[number_format] = self._workbook.add_format({"valign": "top", **form})
        return self._cells[number_format]


def _write_sheet(
    sheet: Worksheet, lines: Sequence[Sequence[str]], kinds: Mapping[str, str], formats: _Formats
) -> None:
    for at, name in enumerate(lines[0]):
        texts = [line[at] for line in lines[1:]]
        sheet.write_string(0, at, name, formats.head)
        for row, cell in enumerate(spreadsheet_cells(kinds.get(name, "text"), texts), start=1):
            # What looks like a formula is text.
            write = sheet.write_string if isinstance(cell.value, str) else sheet.write
            if cell.value != "":
                write(row, at, cell.value, formats.of(cell.format))
        widest = max(map(len, [name, *texts]))
        sheet.set_column(at, at, min(_WIDTH_MAX, max(8, widest + 2)))
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, max(1, len(lines) - 1), len(lines[0]) - 1)
