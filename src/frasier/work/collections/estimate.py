"""The estimate of an extraction: requests and tokens for documents × columns, before anything is asked. Pure.

requests   the groups that documents are packed into, and for a long document its tokens / the room of a request,
           or its entries / the rows that a reply has room for, whichever is more
tokens in  requests × instructions (the task and the columns) + Σ (text + frame) of the documents
reply      at most, for each request, REPLY_TOKENS + TOKENS_PER_CELL × columns × rows
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from frasier.kernel.source_units import SourceText
from frasier.kernel.text import estimate_tokens
from frasier.llm import ColumnToFill, ExtractInputs
from frasier.prompts import REPLY_TOKENS, TOKENS_PER_CELL, extract_request
from frasier.work.collections.packing import PackingLimits, count_entries, frame_tokens

_CONTEXT_SHARE = (
    0.4  # of a model's context for documents; the rest is for the columns, the reply, and rough estimates
)
_CELLS_TOKENS = 6_000
_DOCUMENTS_PER_REQUEST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSize:
    """The size of a document: tokens of its text and of its frame in a request, and the rows expected from it."""

    tokens: int
    frame: int
    rows: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionEstimate:
    """The number of requests, the tokens of all prompts together, and the most that the replies may have."""

    requests: int
    tokens_in: int
    reply_tokens_max: int


def packing_limits(columns: int, context_tokens: int) -> PackingLimits:
    """Return the bounds of a request about so many columns to a model with that context."""
    rows_max = max(1, _CELLS_TOKENS // (TOKENS_PER_CELL * columns))
    return PackingLimits(
        tokens_max=int(context_tokens * _CONTEXT_SHARE),
        rows_max=rows_max,
        documents_max=min(_DOCUMENTS_PER_REQUEST, rows_max),
    )


def size_of(document: SourceText, *, several_rows: bool = False) -> DocumentSize:
    """Measure a document."""
    return DocumentSize(
        tokens=estimate_tokens(document.text),
        frame=frame_tokens(document.number, document.title),
        rows=count_entries(document.text) if several_rows else 1,
    )


def estimate_extraction(
    columns: Sequence[ColumnToFill],
    documents: Iterable[DocumentSize],
    *,
    context_tokens: int,
    entry: str = "",
) -> ExtractionEstimate:
    """Estimate the extraction of columns from documents of these sizes, in their order, if every reply can be used.

    A document that fails costs one more request for each of its parts.
    """
    limits = packing_limits(len(columns), context_tokens)
    requests = tokens = rows = 0
    together: list[DocumentSize] = []
    for size in documents:
        rows += size.rows
        parts = _parts_of(size, limits)
        tokens += size.tokens + parts * size.frame
        if parts > 1:
            requests += parts
            continue
        if together and not _fit([*together, size], limits):
            requests += 1
            together = []
        together.append(size)
    requests += bool(together)
    return ExtractionEstimate(
        requests=requests,
        tokens_in=tokens + requests * _instruction_tokens(columns, entry),
        reply_tokens_max=requests * REPLY_TOKENS + rows * TOKENS_PER_CELL * len(columns),
    )


def _parts_of(size: DocumentSize, limits: PackingLimits) -> int:
    if _fit([size], limits):
        return 1
    room = max(1, limits.tokens_max - size.frame)
    return max(-(-size.tokens // room), -(-size.rows // limits.rows_max))


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
