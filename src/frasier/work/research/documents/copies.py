"""Copies among documents: files that are named as copies, with the content of another one. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from frasier.work.research.documents.types import Document

_NOTE = "the same as it, and read once: "
_BETWEEN = " | "
_MARK_OF_COPY = re.compile(
    r"(?<![^\W_])(?:copy|backup|old|kopie|sicherung|alt|copie|copia|cópia|kopia)(?![^\W_])|\(\d+\)",
    re.IGNORECASE,
)


def without_copies(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Leave out the documents that are named as copies and have the content of one that is not, which names them in a
    note. Others with the same content stay: the same licence in two folders is that of two packages.
    """
    originals: dict[str, Document] = {}
    copies: dict[str, list[str]] = {}
    for document in documents:
        if not _is_named_as_copy(document):
            originals.setdefault(document.sha256, document)
    for document in documents:
        if _is_named_as_copy(document) and document.sha256 in originals:
            copies.setdefault(document.sha256, []).append(document.path)
    return tuple(
        _with_note(document, copies.get(document.sha256, ()))
        if originals.get(document.sha256) is document
        else document
        for document in documents
        if document.path not in copies.get(document.sha256, ())
    )


def _is_named_as_copy(document: Document) -> bool:
    return _MARK_OF_COPY.search(document.path.rpartition("/")[2]) is not None


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
