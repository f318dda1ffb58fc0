"""The choice of a reader for a file: by its first bytes if they are distinctive, else by its extension."""

from __future__ import annotations

from pathlib import PurePosixPath

from frasier.kernel.errors import SourceError
from frasier.work.research.documents.decoding import has_mark
from frasier.work.research.documents.types import Media

_BY_ENDING = {
    ".md": Media.MARKDOWN,
    ".markdown": Media.MARKDOWN,
    ".mdown": Media.MARKDOWN,
    ".mdx": Media.MARKDOWN,
    ".html": Media.HTML,
    ".htm": Media.HTML,
    ".xhtml": Media.HTML,
    ".pdf": Media.PDF,
    ".csv": Media.CSV,
    ".tsv": Media.CSV,
    ".docx": Media.DOCX,
    ".xlsx": Media.XLSX,
    ".xlsm": Media.XLSX,
    ".xltx": Media.XLSX,
    ".eml": Media.EMAIL,
    ".mbox": Media.MBOX,
}

# What to do with files whose first bytes only tell that they are an archive or an old Office file.
_ADVICE = {
    ".msg": "an Outlook message; save it as .eml",
    ".xls": "an old Excel workbook; save it as XLSX, or each sheet as CSV",
    ".xlsb": "a binary Excel workbook; save it as XLSX, or each sheet as CSV",
    ".ods": "an OpenDocument spreadsheet; save it as XLSX, or each sheet as CSV",
    ".odt": "an OpenDocument text; save it as DOCX or PDF",
    ".pptx": "a presentation; save it as PDF",
}
_ARCHIVED = {Media.DOCX: "a DOCX file", Media.XLSX: "an XLSX file"}
_CONTAINERS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")

# The first bytes of a file, and the name of its kind.
_BINARIES = (
    (b"\x7fELF", "a program"),
    (b"MZ", "a Windows program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"RIFF", "an audio, video or image file"),
    (b"ID3", "an audio file"),
    (b"OggS", "an audio or video file"),
    (b"\x1a\x45\xdf\xa3", "a video"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf'\x1c", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"(\xb5/\xfd", "a Zstandard archive"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\xd0\xcf\x11\xe0", "a file of an old Office; save it as DOCX or PDF"),
    (b"{\\rtf", "an RTF file; save it as DOCX or PDF"),
    (b"%!PS", "a PostScript file; save it as PDF"),
)
_SHORT_MARKS = {b"MZ", b"BZh", b"ID3"}  # prose may begin with them
_HEAD_BYTES = 4_096


def choose_media(path: str, data: bytes) -> Media:
    """Choose the reader for a file of this name with these bytes.

    Raises SourceError, whose message is a predicate ("is a PNG image"), if no reader fits.
    """
    expected = _BY_ENDING.get(PurePosixPath(path).suffix.lower())
    if data[:1_024].lstrip().startswith(b"%PDF-"):
        return Media.PDF
    if expected is Media.PDF:
        raise SourceError("is not a PDF, in spite of its name")
    if expected in _ARCHIVED:
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            raise SourceError(
                f"is protected by a password, or is not {_ARCHIVED[expected]}, in spite of its name"
            )
        if not data.startswith(b"PK\x03\x04"):
            raise SourceError(f"is not {_ARCHIVED[expected]}, in spite of its name")
        return expected
    advice = _ADVICE.get(PurePosixPath(path).suffix.lower())
    if advice and data.startswith(_CONTAINERS):
        raise SourceError(f"is {advice}")
    for mark, name in _BINARIES:
        if data.startswith(mark) and (mark not in _SHORT_MARKS or b"\x00" in data[:_HEAD_BYTES]):
            raise SourceError(f"is {name}")
    if b"\x00" in data[:_HEAD_BYTES] and not has_mark(data):
        raise SourceError("holds binary data, not text")
    # Everything else that decodes is text: source code, configuration, JSON, logs, with any extension.
    return expected or Media.TEXT
