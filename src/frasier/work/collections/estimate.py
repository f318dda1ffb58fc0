"""The estimate of an extraction: requests and tokens for documents × columns, before anything is asked. Pure.

requests     groups of short documents + Σ parts of the long ones
tokens in    requests × instructions (the task and the columns) + Σ (text + parts × frame) of the documents
tokens out   at most requests × EXTRACT_REPLY_TOKENS + Σ rows × columns × TOKENS_PER_CELL

A group has at most 20 documents, 0.4 of the model's context, and rows for 6,000 tokens of cells, or for a third of a
small context; a document that is longer is read in parts of the same size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from frasier.kernel.source_units import SourceText
from frasier.kernel.text import estimate_tokens
from frasier.llm import ColumnToFill, ExtractInputs
from frasier.prompts import EXTRACT_REPLY_TOKENS, TOKENS_PER_CELL, extract_request
from frasier.work.collections.packing import PackingLimits, divide_document, frame_tokens

_CONTEXT_SHARE = (
    0.4  # of a model's context for documents; the rest is for the columns, the reply, and rough estimates
)
_CELLS_TOKENS = 6_000
_REPLY_SHARE = 3  # the part of a context that a reply gets at most
_DOCUMENTS_PER_REQUEST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSize:
    """The size of a document: tokens of its text and of its frame in a request, and the rows expected from it.

    One that is too long for a request is read in `parts`.
    """

    tokens: int
    frame: int
    rows: int = 1
    parts: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionEstimate:
    """The number of requests, the tokens of all prompts together, and the most that the replies may have."""

    requests: int
    tokens_in: int
    tokens_out_max: int


def packing_limits(columns: int, context_tokens: int) -> PackingLimits:
    """Return the bounds of a request about so many columns to a model with that context."""
    cells_tokens = min(_CELLS_TOKENS, context_tokens // _REPLY_SHARE - EXTRACT_REPLY_TOKENS)
    rows_max = max(1, cells_tokens // (TOKENS_PER_CELL * columns))
    return PackingLimits(
        tokens_max=int(context_tokens * _CONTEXT_SHARE),
        rows_max=rows_max,
        documents_max=min(_DOCUMENTS_PER_REQUEST, rows_max),
    )


def size_of(document: SourceText, limits: PackingLimits, *, several_rows: bool = False) -> DocumentSize:
    """Measure a document for requests within the limits."""
    parts = divide_document(document, limits, several_rows=several_rows)
    return DocumentSize(
        tokens=sum(estimate_tokens(part.text) for part in parts),
        frame=frame_tokens(document.number, document.title),
        rows=sum(part.rows for part in parts),
        parts=len(parts),
    )


def estimate_extraction(
    columns: Sequence[ColumnToFill],
    documents: Iterable[DocumentSize],
    limits: PackingLimits,
    *,
    entry: str = "",
) -> ExtractionEstimate:
    """Estimate the extraction of columns from documents of these sizes, in their order, if every reply can be used.

    A part that fails costs one more request. What was extracted before costs nothing: leave it out.
    """
    requests = tokens = rows = 0
    together: list[DocumentSize] = []
    for size in documents:
        rows += size.rows
        tokens += size.tokens + size.parts * size.frame
        if size.parts > 1:
            requests += size.parts
            continue
        if together and not _fit([*together, size], limits):
            requests += 1
            together = []
        together.append(size)
    requests += bool(together)
    return ExtractionEstimate(
        requests=requests,
        tokens_in=tokens + requests * _instruction_tokens(columns, entry),
        tokens_out_max=requests * EXTRACT_REPLY_TOKENS + rows * TOKENS_PER_CELL * len(columns),
    )


def _fit(sizes: Sequence[DocumentSize], limits: PackingLimits) -> bool:
    return limits.allow(
        tokens=sum(size.tokens + size.frame for size in sizes),
        rows=sum(size.rows for size in sizes),
        documents=len(sizes),
    )


def _instruction_tokens(columns: Sequence[ColumnToFill], entry: str) -> int:
    inputs = ExtractInputs(columns=tuple(columns), documents=(), today="2000-01-01", entry=entry)
    request = extract_request(inputs)
    return estimate_tokens(request.system) + sum(
        estimate_tokens(f"## {section.title}\n\n{section.text}\n\n")
        for section in request.sections
        if section.text
    )
