"""A table as a part of a result: rows that documents have, a quotation for each cell."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.kernel.humanize import plural


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCell:
    """The value that a document has for a column, with the words that say it, and their place in it, such as "page 3".

    All are empty if it says nothing.
    """

    value: str = ""
    quotation: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """The cells of source `source`, in the order of the columns; the source `revoked_by` takes it back, if any does."""

    source: int
    cells: tuple[TableCell, ...]
    revoked_by: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTable:
    """The kept rows of a table.

    `documents` were to be examined; `failed` names those that could not be, `partial` those of which something was
    missing, and `silent` those that have no value for any column.
    """

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    documents: int
    failed: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()

    @property
    def examined(self) -> int:
        return self.documents - len(self.failed)

    @property
    def coverage(self) -> str:
        """The number of documents examined, such as "55 of 60 documents examined"."""
        return f"{self.examined:,} of {plural(self.documents, 'document')} examined"

    @property
    def gaps(self) -> list[str]:
        """The documents that were not examined, those of which something is missing, and those that have no value.

        A sentence for each of these.
        """
        sentences = []
        if self.failed:
            sentences.append(f"Could not be examined: {'; '.join(self.failed)}.")
        if self.partial:
            sentences.append(f"Examined as far as they could be read: {'; '.join(self.partial)}.")
        if self.silent:
            sentences.append(f"None of the columns was found in {'; '.join(self.silent)}.")
        return sentences
