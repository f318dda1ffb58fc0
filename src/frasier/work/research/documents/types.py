"""The values of this slice: documents, problems, and the bounds of reading."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from frasier.kernel.source_places import PlaceMark


class Media(StrEnum):
    """The original format of a document."""

    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"
    PDF = "pdf"
    CSV = "csv"
    DOCX = "docx"
    XLSX = "xlsx"
    EMAIL = "email"
    MBOX = "mbox"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A source as text.

    `path` is relative, with forward slashes, as shown to people. `text` is plain text or Markdown in NFC,
    with line feeds for newlines and without control characters. `sha256` is of the file's bytes,
    `size_bytes` their number. `notes` say what is missing from the text, `marks` where its pages or fragments begin.
    """

    path: str
    title: str
    media: Media
    text: str
    sha256: str
    size_bytes: int
    notes: tuple[str, ...] = ()
    marks: tuple[PlaceMark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A file or folder that was not read, and why, in one sentence for a person."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """The result of reading folders, sorted by path. `skipped_hidden` counts hidden and machine-made entries."""

    documents: tuple[Document, ...]
    problems: tuple[Problem, ...]
    skipped_hidden: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentLimits:
    """The bounds of reading. Sizes in bytes, times in seconds, text in characters."""

    file_bytes_max: int = 20_000_000
    files_max: int = 2_000
    entries_max: int = 50_000
    depth_max: int = 16
    document_chars_max: int = 2_000_000
    total_chars_max: int = 20_000_000
    total_s_max: float = 900.0
    pdf_pages_max: int = 500
    csv_rows_max: int = 5_000
    parse_timeout_s: float = 20.0
    parse_memory_bytes: int = 768 * 1024 * 1024
