"""The rows of a table that another document revokes or changes. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from frasier.kernel.source_units import SourceText
from frasier.llm import Passage, revoked_statements
from frasier.org.missions import TableRow
from frasier.work.research.supersession import SourceHead, index_supersessions


def revoking_documents(
    heads: Sequence[SourceHead], revoking: Sequence[Passage]
) -> frozenset[tuple[int, int]]:
    """Return the numbers of each source and of one that may revoke what it says, as far as their names tell."""
    pairs = index_supersessions(tuple(heads), tuple(revoking)).supersessions
    return frozenset((pair.old, pair.new) for pair in pairs if pair.passage)


def mark_revoked(
    rows: Sequence[TableRow],
    documents: Sequence[SourceText],
    pairs: Collection[tuple[int, int]],
    *,
    several_rows: bool,
) -> tuple[TableRow, ...]:
    """Return the rows, each with the source that revokes what it says; `pairs` are those of `revoking_documents`.

    Of a document with a row for each entry a row is meant if all its words stand in what is revoked. A row of the
    revoking document itself that only repeats what it revokes is revoked as well.
    """
    passages = tuple(Passage(number=one.number, title=one.title, text=one.text) for one in documents)
    statements = [one for one in revoked_statements(passages) if (one.number, one.by) in pairs]
    meets = all if several_rows else any

    def revoked_by(row: TableRow) -> int | None:
        quotations = [" ".join(cell.quotation.split()) for cell in row.cells if cell.quotation]
        for one in statements:
            text = " ".join(one.text.split())
            if one.number == row.source and quotations and meets(q in text or text in q for q in quotations):
                return one.by
        return None

    marked = [replace(row, revoked_by=revoked_by(row)) for row in rows]
    revoked = [row for row in marked if row.revoked_by is not None]
    return tuple(
        replace(row, revoked_by=row.source)
        if any(one.revoked_by == row.source and _repeats(row, one) for one in revoked)
        else row
        for row in marked
    )


def _repeats(row: TableRow, other: TableRow) -> bool:
    """Return whether a row says nothing that another one does not say."""
    said = [(own.value, its.value) for own, its in zip(row.cells, other.cells, strict=True) if own.value]
    return bool(said) and all(own == its for own, its in said)
