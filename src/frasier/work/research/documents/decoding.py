"""Decoding of bytes: by byte-order mark, then declared encoding, then UTF-8, then detection."""

from __future__ import annotations

import codecs
import re

from charset_normalizer import from_bytes

from frasier.kernel.errors import SourceError

_MARKS = (  # the longer first: a UTF-32 mark begins like a UTF-16 mark
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE_BYTES = 128_000
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_CONTROL_SHARE_MAX = 0.01

# The usual encodings of files that are not Unicode. The rarer an encoding, the likelier a guess is wrong.
_LEGACY = [
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "koi8_r",
    "cp932", "gb18030", "big5", "euc_jp", "cp949",
]  # fmt: skip
_WRITTEN_IN = re.compile(
    r"utf-8|iso8859-\d+|cp\d+|koi8-[ru]|gb\w+|big5\w*|shift_jis\w*|euc_\w+|hz|iso2022\w+|mac-\w+"
)
_SYMBOL_IN_WORD = re.compile(r"(?<=[^\W\d_])[³¹¿¯£¥ª¼¾](?=[^\W\d_])")


def has_mark(data: bytes) -> bool:
    """Whether a byte-order mark identifies `data` as text."""
    return any(data.startswith(mark) for mark, _ in _MARKS)


def decode_text(data: bytes, declared: str | None = None) -> tuple[str, tuple[str, ...]]:
    """Decode `data`; return the text, and a note if the encoding had to be guessed.

    `declared` is the encoding that a header names; it is used if it exists and fits. Raises SourceError,
    whose message is a predicate ("holds no text …"), if the bytes are no text.
    """
    text, notes = _decode(data, declared)
    sample = text[:_SAMPLE_BYTES]
    if sample and len(_CONTROLS.findall(sample)) / len(sample) > _CONTROL_SHARE_MAX:
        raise SourceError("holds binary data, not text")
    return text, notes


def _decode(data: bytes, declared: str | None) -> tuple[str, tuple[str, ...]]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            text = _try(data.removeprefix(mark), encoding)
            if text is None:
                raise SourceError(f"begins like {encoding.upper()} text but is not")
            return text, ()
    if b"\x00" in data:
        raise SourceError("holds binary data, not text")
    for candidate in (_known(declared), "utf-8"):
        text = _try(data, candidate) if candidate else None
        if text is not None:
            return text, ()
    return _guess(data)


def _known(declared: str | None) -> str | None:
    """Resolve the encoding of a header, or None. Python has codecs for other purposes, some of them slow."""
    try:
        name = codecs.lookup(declared or "").name
    except (LookupError, ValueError):  # a name with a NUL is no name at all
        return None
    if name in {"iso8859-1", "ascii"}:  # browsers read both as Windows' superset, and pages rely on it
        return "cp1252"
    return name if _WRITTEN_IN.fullmatch(name) else None


def _try(data: bytes, encoding: str) -> str | None:
    """Decode the bytes, or return None if the encoding does not fit."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _guess(data: bytes) -> tuple[str, tuple[str, ...]]:
    # Detection looks at a sample only: its time would grow with the file.
    best = from_bytes(data[:_SAMPLE_BYTES], cp_isolation=_LEGACY).best()
    if best is None:
        raise SourceError("holds no text in any known encoding")
    encoding = best.encoding
    if encoding == "cp1250":
        # The two code pages share most letters, so that Western text is often taken for Central European.
        # Central European text read as Western has symbols inside its words ("g³owa").
        western = _try(data, "cp1252")
        encoding = "cp1252" if western is not None and not _SYMBOL_IN_WORD.search(western) else encoding
    text = _try(data, encoding)
    if text is None:
        raise SourceError(f"looks like {encoding} text, but parts of it are not")
    return text, (f"read as {encoding}, which is a guess",)
