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
    source_sections,
)
from frasier.llm.reply_schemas import ExtractReply

EXTRACT_VERSION = 1
"""The version of this prompt; what was extracted by another one is extracted again."""

TOKENS_PER_CELL = 90
"""The room for a cell in a reply, in tokens: a value and its quotation."""

_SYSTEM = """\
You read documents and write down what each says of a few columns, and nothing else.

{fence_rule}

Today is {today}."""

_TASK = """\
Write one row for each document, and one more where a document holds several of what the columns ask for. value: what
the document says, as short as it can be said, in its own words; a date as YYYY-MM-DD, a number with its unit, yes or
no where the column asks for that. quotation: the words of the document that say it, copied letter by letter. Where a
document says nothing of a column, both are empty; never fill a cell with what seems likely or is known elsewhere."""


def extract_request(inputs: ExtractInputs) -> Request:
    columns = bullets(f"{column.name} ({column.kind}): {column.asks}" for column in inputs.columns)
    cells = len(inputs.columns) * len(inputs.documents)
    return Request(
        purpose=Purpose.EXTRACT,
        version=EXTRACT_VERSION,
        tier=Tier.T1,
        inputs=inputs,
        system=_SYSTEM.format(fence_rule=FENCE_RULE, today=inputs.today),
        sections=(
            Section(title="Columns", text=columns, fixed=True, shared=True),
            Section(title="Task", text=_TASK, fixed=True, shared=True),
            *source_sections(inputs.documents),
        ),
        reply_type=ExtractReply,
        max_output_tokens=300 + TOKENS_PER_CELL * cells,
        temperature=0.0,
    )
