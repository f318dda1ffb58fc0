"""The extraction of a rehearsal: of each document, and of each row of its tables, the values named like a column, and
whether conditions hold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from frasier.kernel.named_kinds import kinds_named
from frasier.kernel.source_lines import named_values
from frasier.llm.prompt_inputs import ColumnToFill, ExtractInputs, Passage
from frasier.llm.providers.rehearsal.cues import FIGURES
from frasier.llm.providers.rehearsal.document_conditions import verdict_on
from frasier.llm.providers.rehearsal.evidence import SourceStatement, read_sources, without_values
from frasier.llm.providers.rehearsal.named_columns import likeness, names_subject, value_of_kind
from frasier.llm.providers.rehearsal.needs import need_of
from frasier.llm.providers.rehearsal.page import UNDECIDED
from frasier.llm.providers.rehearsal.quotable import instructs_reader
from frasier.llm.providers.rehearsal.stems import are_alike, content_stems, focus_stems, words
from frasier.llm.providers.rehearsal.table_records import TableRecords, records_of
from frasier.llm.providers.rehearsal.words import REVOKES
from frasier.llm.reply_schemas import ExtractedCell, ExtractedRow, ExtractReply

NAME_OF = "The name of the "
"""The beginning of what a column asks for that names the thing a document is about."""

WHETHER = "Whether this holds: "
"""The beginning of what a column asks for that tells whether a document meets a condition."""

_VALUE_CHARS = 300
_COUNTS = re.compile(r"\bnumbers? of\b", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\b(?P<thing>[^\W\d_]+)[\s:]+(?:(?:no|nr|n[°º]|number|nummer|num[ée]ro|número)\b\.?[\s:]*|#)?"
    r"(?P<number>[\w/.-]*\d(?:[\w/.-]*\w)?)",
    re.IGNORECASE,
)
_QUOTATION_CHARS = 600


def extract(inputs: ExtractInputs) -> ExtractReply:
    """Fill the columns of each document, and of each row of a table whose columns are named like them.

    A cell of which nothing in the document is sure stays empty.
    """
    rows = []
    for document in inputs.documents:
        records = records_of([column.name for column in inputs.columns], document)
        rows += [
            ExtractedRow(document=document.number, cells=[cell for cell in cells if cell.value])
            for cells in _rows(inputs.columns, document, records)
        ]
    return ExtractReply(rows=rows)


def _rows(
    columns: Sequence[ColumnToFill], document: Passage, records: TableRecords
) -> Sequence[Sequence[ExtractedCell]]:
    """The cells of each record; what a table has no column for is taken from the rest of the document."""
    cells = cells_of_document(columns, document, records)
    return [
        [
            _cell_of(column.name, record[column.name].text, text) if column.name in record else cell
            for column, cell in zip(columns, cells, strict=True)
        ]
        for text, record in records.rows
    ] or [cells]


def cells_of_document(
    columns: Sequence[ColumnToFill], document: Passage, records: TableRecords | None = None
) -> list[ExtractedCell]:
    """Return a cell for each column; its value is empty where the document does not surely have one.

    The rows of a table with several are not values of the document.
    """
    sources = read_sources((document,))
    evidence = [one for one in (sources[0].evidence if sources else ()) if not instructs_reader(one.text)]
    own = [one for one in evidence if records is None or not records.has(one.unit)]
    return [_cell(column, document, evidence, own) for column in columns]


def _cell(
    column: ColumnToFill,
    document: Passage,
    evidence: Sequence[SourceStatement],
    own: Sequence[SourceStatement],
) -> ExtractedCell:
    if column.asks.startswith(WHETHER):
        verdict = verdict_on(column.asks.removeprefix(WHETHER), evidence)
        value, quotation = verdict or (UNDECIDED.lower(), _first_line(document))
    elif column.asks.startswith(NAME_OF):
        value, quotation = _named_exactly(column.name, evidence) or _name_of(document)
    else:
        value, quotation = (
            _named(column.name, own)
            or _of_its_kind(column.name, document, evidence, own)
            or _number_in(column.name, _first_line(document))
            or _sentence(column.name, own)
            or ("", "")
        )
    return _cell_of(column.name, value, quotation)


def _cell_of(name: str, value: str, quotation: str) -> ExtractedCell:
    """A cell with its quotation, which is the value itself where there is no room for what it stands in."""
    value = value[:_VALUE_CHARS]
    wording = value if len(quotation) > _QUOTATION_CHARS and value in quotation else quotation
    return ExtractedCell(column=name, value=value, quotation=wording[:_QUOTATION_CHARS])


def _named(name: str, evidence: Sequence[SourceStatement]) -> tuple[str, str] | None:
    """The value, with its wording, of the field that is named most like a column."""
    fields = [
        (cell.text, cell.text if one.unit.cells else one.text, likeness(name, cell, one))
        for one in evidence
        for cell in one.unit.fields
    ]
    text, wording, best = max(fields, key=lambda field: field[2], default=("", "", 0.0))
    return (value_of_kind(name, text) or text, wording) if best else None


def _named_exactly(name: str, evidence: Sequence[SourceStatement]) -> tuple[str, str] | None:
    """The value, with its wording, of the first field that has the name of a column."""
    wanted = _stems(name)
    fields = (
        (cell.text, cell.text if one.unit.cells else one.text)
        for one in evidence
        for cell in one.unit.fields
        if wanted and _stems(cell.head) == wanted
    )
    return next(fields, None)


def _name_of(document: Passage) -> tuple[str, str]:
    """The first line of a document; its title, where that has a number which the line lacks, or the line is a field."""
    line = _first_line(document)
    numbers = set(re.findall(r"\d+", document.title))
    is_other = named_values(line) or (numbers and numbers.isdisjoint(re.findall(r"\d+", line)))
    return (document.title if is_other else line), line


def _first_line(document: Passage) -> str:
    lines = (line.strip("#*=- \t") for line in document.text.splitlines())
    return next(filter(None, lines), "")


def _of_its_kind(
    name: str, document: Passage, evidence: Sequence[SourceStatement], own: Sequence[SourceStatement]
) -> tuple[str, str] | None:
    """The one value of the kind that a column is named after, of what the column is about.

    It stands in the first line, else it is the only one in the document, or in the statements that name the column and
    revoke nothing.
    """
    cue = need_of(name).cue
    if cue is None or cue.values_in is None:
        return None
    first, about = _first_line(document), content_stems(f"{document.title} {document.file}".replace("_", " "))
    is_about = names_subject(name, (*about, *content_stems(first)))
    of_subject = [one for one in evidence if names_subject(name, (*about, *one.stems, *one.heading_stems))]
    naming = [one for one in own if _stems(name) <= one.stems and not REVOKES.search(one.text)]
    for texts in (
        [first] if is_about and not instructs_reader(first) else [],
        [one.text for one in of_subject if not one.is_header],
        [one.text for one in naming],
    ):
        found = {value: text for text in texts for value in cue.values_in(text)}
        if len(found) == 1:
            return next(iter(found.items()))
    return None


def _number_in(name: str, line: str) -> tuple[str, str] | None:
    """The number of a thing that a line begins with: "2026-001" of "Invoice 2026-001" for "invoice number"."""
    if kinds_named(name) != {"number"} or _COUNTS.search(name) or instructs_reader(line):
        return None
    things = [word for word in words(name) if word not in FIGURES.triggers]
    numbers = {
        match["number"]
        for match in _NUMBERED.finditer(without_values(line))
        if not things or any(are_alike(match["thing"].casefold(), thing) for thing in things)
    }
    return (numbers.pop(), line) if len(numbers) == 1 else None


def _sentence(name: str, evidence: Sequence[SourceStatement]) -> tuple[str, str] | None:
    """The first sentence about what a column is named after: it has all of its words, and one alone stands first."""
    wanted = set(focus_stems(name))
    found = (
        one.text
        for one in evidence
        if wanted
        and wanted <= one.stems
        and not one.kind.is_data
        and (len(wanted) > 1 or content_stems(one.text, one.language)[0] in wanted)
    )
    text = next(found, "")
    return (text, text) if text else None


def _stems(name: str) -> set[str]:
    return set(content_stems(re.sub(r"[_/-]", " ", name)))
