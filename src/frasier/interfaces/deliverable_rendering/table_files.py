"""The tables of a mission's results as CSV and XLSX, which have all rows, and the words that each cell rests on."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from frasier.interfaces.deliverable_rendering.provenance import Dossier
from frasier.kernel.cell_values import Value
from frasier.org.planning import ResultTable

# A spreadsheet would compute what begins like this, also behind blanks and quotes, and in full width.
_FORMULA = re.compile(r"[\s\"']*[=+\-@＝＋－＠]|[\t\r\n]")
# A program whose list separator is another one would begin a new cell there.
_SEPARATORS = re.compile(r"[,;\t|\"\r\n]")
_WIDTH_MAX = 60


def table_files(dossier: Dossier) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file, of the latest version of every step with a table."""
    titles = _names(dossier)
    for versions in dossier.deliverables.values():
        if (table := versions[-1].table) is None:
            continue
        name = dossier.tasks[versions[-1].task_id].slug
        rows = [
            [str(row.source), titles.get(row.source, ""), *(cell.value for cell in row.cells)]
            for row in table.rows
        ]
        quotations = [
            [str(row.source), titles.get(row.source, ""), *(cell.quotation for cell in row.cells)]
            for row in table.rows
        ]
        head = ["source", "document", *table.columns]
        yield f"tables/{name}.csv", as_csv([head, *rows])
        yield f"tables/{name}.xlsx", _as_xlsx(table, head, rows, quotations)


def table_names(dossier: Dossier) -> Iterator[str]:
    """Yield the names of the files, without making them."""
    for versions in dossier.deliverables.values():
        if versions[-1].table is not None:
            name = dossier.tasks[versions[-1].task_id].slug
            yield from (f"tables/{name}.csv", f"tables/{name}.xlsx")


def _names(dossier: Dossier) -> dict[int, str]:
    """Return the titles of the sources by number; of those with the same title, their places."""
    counts = Counter(source.title for source in dossier.sources)
    return {
        source.number: source.title if counts[source.title] == 1 else source.uri for source in dossier.sources
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
    table: ResultTable,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    quotations: Sequence[Sequence[str]],
) -> bytes:
    """Write a workbook with the table, the quotations of its cells, and what could not be examined; all as text."""
    import xlsxwriter  # noqa: PLC0415 (only for tables)

    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as workbook:
        bold = workbook.add_format({"bold": True, "bottom": 1})
        wrapped = workbook.add_format({"text_wrap": True, "valign": "top"})
        sheets = {"Table": [head, *rows], "Quotations": [head, *quotations]}
        if table.failed or table.partial:
            sheets["Not examined"] = [["document"], *([reason] for reason in (*table.failed, *table.partial))]
        for name, lines in sheets.items():
            sheet = workbook.add_worksheet(name)
            for at, line in enumerate(lines):
                for column, cell in enumerate(line):
                    sheet.write_string(at, column, cell, wrapped if at else bold)
            for column in range(len(lines[0])):
                widest = max(len(line[column]) for line in lines)
                sheet.set_column(column, column, min(_WIDTH_MAX, max(8, widest + 2)))
            sheet.freeze_panes(1, 0)
            sheet.autofilter(0, 0, max(1, len(lines) - 1), len(lines[0]) - 1)
    return file.getvalue()
