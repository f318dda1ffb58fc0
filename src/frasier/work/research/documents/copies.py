"""Documents with identical content: one is kept, and names its copies in a note. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from frasier.work.research.documents.types import Document

_NOTE = "the same as it, and read once: "
_BETWEEN = " | "
_NAMED_AS_COPY = re.compile(
    r"(?<![^\W_])(?:copy|backup|old|kopie|sicherung|alt|copie|copia|cópia|kopia)(?![^\W_])|\(\d+\)",
    re.IGNORECASE,
)


def without_copies(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Keep one document of each content, in their order, with a note that names the others.

    The one is kept that is no copy by its name, and stands highest in the folders.
    """
    alike: dict[str, list[Document]] = {}
    for document in documents:
        alike.setdefault(document.sha256, []).append(document)
    kept = {sha256: min(group, key=_rank) for sha256, group in alike.items()}
    return tuple(
        _with_note(document, [one.path for one in alike[document.sha256] if one is not document])
        for document in documents
        if kept[document.sha256] is document
    )


def _rank(document: Document) -> tuple[bool, int, str]:
    return _NAMED_AS_COPY.search(document.path) is not None, document.path.count("/"), document.path


def _with_note(document: Document, copies: Sequence[str]) -> Document:
    if not copies:
        return document
    return replace(document, notes=(*document.notes, _NOTE + _BETWEEN.join(copies)))


def copies_in(notes: Sequence[str]) -> tuple[str, ...]:
    """Return the paths of the copies that the notes of a document name."""
    return tuple(
        path for note in notes if note.startswith(_NOTE) for path in note.removeprefix(_NOTE).split(_BETWEEN)
    )


def other_notes(notes: Sequence[str]) -> tuple[str, ...]:
    """Return the notes of a document that name no copies."""
    return tuple(note for note in notes if not note.startswith(_NOTE))
