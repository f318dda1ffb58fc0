"""The extraction of a rehearsal: of each document the values named like a column, and whether conditions hold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from frasier.kernel.source_lines import named_values
from frasier.llm.prompt_inputs import ColumnToFill, ExtractInputs, Passage
from frasier.llm.providers.rehearsal.document_conditions import verdict_on
from frasier.llm.providers.rehearsal.evidence import SourceStatement, read_sources
from frasier.llm.providers.rehearsal.needs import need_of
from frasier.llm.providers.rehearsal.page import UNDECIDED
from frasier.llm.providers.rehearsal.stems import content_stems, focus_stems
from frasier.llm.reply_schemas import ExtractedCell, ExtractedRow, ExtractReply

NAME_OF = "The name of the "
"""The beginning of what a column asks for that names the thing a document is about."""

WHETHER = "Whether this holds: "
"""The beginning of what a column asks for that tells whether a document meets a condition."""

_VALUE_CHARS = 300
_LIKE = 0.25


def extract(inputs: ExtractInputs) -> ExtractReply:
    """Fill the columns of each document; a cell of which nothing in the document is sure stays empty."""
    rows = []
    for document in inputs.documents:
        cells = cells_of_document(inputs.columns, document)
        rows.append(ExtractedRow(document=document.number, cells=[cell for cell in cells if cell.value]))
    return ExtractReply(rows=rows)


def cells_of_document(columns: Sequence[ColumnToFill], document: Passage) -> list[ExtractedCell]:
    """Return a cell for each column; its value is empty where the document does not surely have one."""
    sources = read_sources((document,))
    evidence = sources[0].evidence if sources else ()
    return [_cell(column, document, evidence) for column in columns]


def _cell(column: ColumnToFill, document: Passage, evidence: Sequence[SourceStatement]) -> ExtractedCell:
    if column.asks.startswith(WHETHER):
        verdict = verdict_on(column.asks.removeprefix(WHETHER), evidence)
        value, quotation = verdict or (UNDECIDED.lower(), _first_line(document))
    elif column.asks.startswith(NAME_OF):
        value, quotation = _named(column.name, evidence, 1.0) or _name_of(document)
    else:
        value, quotation = (
            _named(column.name, evidence)
            or _of_its_kind(column.name, document, evidence)
            or _sentence(column.name, evidence)
            or ("", "")
        )
    return ExtractedCell(
        column=column.name, value=value[:_VALUE_CHARS], quotation=quotation[: 2 * _VALUE_CHARS]
    )


def _named(name: str, evidence: Sequence[SourceStatement], least: float = _LIKE) -> tuple[str, str] | None:
    """The value, with its wording, of the field that is named most like a column."""
    wanted = _stems(name)
    fields = [
        (cell.head, cell.text, cell.text if one.unit.cells else one.text)
        for one in evidence
        for cell in one.unit.fields
    ]
    scored = [
        (len(wanted & _stems(head)) / len(wanted | _stems(head)), -at)
        for at, (head, _, _) in enumerate(fields)
        if _stems(head)
    ]
    score, position = max(scored, default=(0.0, 0))
    return fields[-position][1:] if wanted and score >= least else None


def _name_of(document: Passage) -> tuple[str, str]:
    """The first line of a document; its title, where that has a number which the line lacks, or the line is a field."""
    line = _first_line(document)
    numbers = set(re.findall(r"\d+", document.title))
    is_other = named_values(line) or (numbers and numbers.isdisjoint(re.findall(r"\d+", line)))
    return (document.title if is_other else line), line


def _first_line(document: Passage) -> str:
    lines = (line.strip("#*=- \t") for line in document.text.splitlines())
    return next(filter(None, lines), "")


def _of_its_kind(name: str, document: Passage, evidence: Sequence[SourceStatement]) -> tuple[str, str] | None:
    """The one value of the kind that a column is named after: in the first line, else in the whole document."""
    cue = need_of(name).cue
    if cue is None or cue.values_in is None:
        return None
    for texts in ([_first_line(document)], [one.text for one in evidence]):
        found = {value: text for text in texts for value in cue.values_in(text)}
        if len(found) == 1:
            return next(iter(found.items()))
    return None


def _sentence(name: str, evidence: Sequence[SourceStatement]) -> tuple[str, str] | None:
    """The first sentence that has the words of a column."""
    wanted = set(focus_stems(name))
    found = (one.text for one in evidence if wanted and wanted <= one.stems and not one.kind.is_data)
    text = next(found, "")
    return (text, text) if text else None


def _stems(name: str) -> set[str]:
    return set(content_stems(re.sub(r"[_/-]", " ", name)))
