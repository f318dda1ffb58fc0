"""The extraction of a rehearsal: the fields and cells of a document whose names have the words of a column."""

from __future__ import annotations

from collections.abc import Iterator

from frasier.kernel.language import content_stems, words_of
from frasier.kernel.source_units import SourceText
from frasier.llm.prompt_inputs import ColumnToFill, ExtractInputs
from frasier.llm.reply_schemas import ExtractedCell, ExtractedRow, ExtractReply

_VALUE_CHARS = 300


def extract(inputs: ExtractInputs) -> ExtractReply:
    """Fill the columns of each document with the value of the field that is named most like them."""
    rows = []
    for document in inputs.documents:
        fields = list(_fields(SourceText(number=document.number, title=document.title, text=document.text)))
        cells = [_cell(column, fields) for column in inputs.columns]
        rows.append(ExtractedRow(document=document.number, cells=[cell for cell in cells if cell.value]))
    return ExtractReply(rows=rows)


def _fields(source: SourceText) -> Iterator[tuple[str, str, str]]:
    """Yield name, value and wording of each field of a document: cells of records, and lines such as "Name: value"."""
    for unit in source.units:
        for value in unit.fields:
            yield value.head, value.text, value.text if unit.cells else unit.text


def _cell(column: ColumnToFill, fields: list[tuple[str, str, str]]) -> ExtractedCell:
    wanted = _stems(column.name)
    scored = [
        (len(wanted & _stems(name)) / len(wanted | _stems(name)), -at)
        for at, (name, _, _) in enumerate(fields)
    ]
    score, position = max(scored, default=(0.0, 0))
    if not wanted or score == 0.0:
        return ExtractedCell(column=column.name, value="", quotation="")
    _, value, wording = fields[-position]
    return ExtractedCell(
        column=column.name, value=value[:_VALUE_CHARS], quotation=wording[: 2 * _VALUE_CHARS]
    )


def _stems(name: str) -> set[str]:
    return set(content_stems(words_of(name.replace("_", " ").replace("-", " ")), "english"))
