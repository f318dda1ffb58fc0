"""The request to fill the columns of a table from whole documents."""

from __future__ import annotations

from frasier.llm import (
    FENCE_RULE,
    ExtractInputs,
    Purpose,
    Request,
    Section,
    Tier,
    bullets,
    list_section,
    one_line,
    source_sections,
)
from frasier.llm.reply_schemas import ExtractReply

EXTRACT_VERSION = 2
"""The version of this prompt; what was extracted by another one is extracted again."""

REHEARSED_EXTRACT_VERSION = 4
"""The version of the rules by which a rehearsal extracts; it reads again what it extracted by other ones."""

TOKENS_PER_CELL = 90
"""The room for a cell in a reply, in tokens: a value and its quotation."""

EXTRACT_REPLY_TOKENS = 300
"""The room for a reply beside its cells, in tokens."""

_SYSTEM = """\
You read documents and write down what each says of a few columns, and nothing else.

{fence_rule}

Today is {today}."""

_TASK = """\
{rows} value: what the document says, as short as it can be said, in its own words; a date as YYYY-MM-DD, a number with
its unit, yes or no where the column asks for that. quotation: the words of the document that say it, copied letter by
letter. Where a document says nothing of a column, both are empty; never fill a cell with what seems likely or is known
elsewhere."""

_ROW_PER_DOCUMENT = """\
Write one row for each document, and one more where a document holds several of what the columns ask for."""

_ROW_PER_ENTRY = """\
Write one row for each entry of a document, in its order, leaving none out and writing none twice. An entry is: {entry}.
A document without any has one row with empty cells. A part of a document may begin or end within an entry: write down
what stands in the part."""


def extract_request(inputs: ExtractInputs, *, rows: int = 1) -> Request:
    """Build the request to fill the columns; the reply has room for `rows`."""
    columns = bullets(f"{column.name} ({column.kind}): {column.asks}" for column in inputs.columns)
    per_row = _ROW_PER_ENTRY.format(entry=one_line(inputs.entry)) if inputs.entry else _ROW_PER_DOCUMENT
    return Request(
        purpose=Purpose.EXTRACT,
        version=EXTRACT_VERSION,
        tier=Tier.T1,
        inputs=inputs,
        system=_SYSTEM.format(fence_rule=FENCE_RULE, today=inputs.today),
        sections=(
            Section(title="Columns", text=columns, fixed=True, shared=True),
            Section(title="Task", text=_TASK.format(rows=per_row), fixed=True, shared=True),
            list_section("Your last reply could not be used", inputs.issues, fixed=True),
            *source_sections(inputs.documents),
        ),
        reply_type=ExtractReply,
        max_output_tokens=EXTRACT_REPLY_TOKENS + TOKENS_PER_CELL * len(inputs.columns) * rows,
        temperature=0.0,
    )
