"""The text layer of a PDF."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence

from pypdf import PdfReader, overwrite_configuration
from pypdf.errors import DependencyError, LimitReachedError, PyPdfError

from frasier.kernel.errors import SourceError
from frasier.kernel.source_places import PlaceMark

from .parsed import Parsed

_STREAM_BYTES_MAX = 32_000_000
_HYPHENATED = re.compile(r"(?<=[^\W\d_])-\n(?=[a-zà-ÿ])")
_BLANKS = re.compile(r"[ \t\xa0]+")
_NO_TITLE = re.compile(
    r"untitled|microsoft word - .*|powerpoint presentation|document\d*|about:blank|(?:file|https?)://\S*"
    r"|.*\.(?:docx?|xlsx?|pptx?|od[pst]|rtf|txt|md|html?|xml|indd|qxd|pages|tex|dvi|ps|pdf)|\W*",
    re.IGNORECASE,
)


def parse_pdf(data: bytes, *, pages_max: int, chars_max: int) -> Parsed:
    """Read the text of the first `pages_max` pages. Raises SourceError, whose message is a predicate."""
    overwrite_configuration(
        array_based_stream_maximum_output_length=_STREAM_BYTES_MAX,
        lzw_maximum_output_length=_STREAM_BYTES_MAX,
        run_length_maximum_output_length=_STREAM_BYTES_MAX,
        zlib_maximum_output_length=_STREAM_BYTES_MAX,
        brotli_maximum_output_length=_STREAM_BYTES_MAX,
        stream_decoding_work_maximum_length=4 * _STREAM_BYTES_MAX,
        jbig2dec_binary=None,
    )
    reader = _open(data)
    pages: list[tuple[int, str]] = []
    blank = damaged = length = 0
    total = len(reader.pages)
    for number, page in enumerate(reader.pages[:pages_max], start=1):
        try:
            text = _tidy(page.extract_text())
        except LimitReachedError as error:
            raise SourceError("unpacks to more than is allowed, or never ends") from error
        except (
            PyPdfError,
            ArithmeticError,
            AttributeError,
            LookupError,
            NotImplementedError,
            TypeError,
            ValueError,
        ):
            damaged += 1
            continue
        blank += not text
        if text:
            pages.append((number, text))
        length += len(text)
        if length > chars_max:
            break
    if not pages:
        raise SourceError("has no text layer (it may be a scan)" if not damaged else "is damaged")
    return Parsed(
        title=_title(reader),
        text="\n\n".join(text for _, text in pages),
        notes=_notes(total=total, pages_max=pages_max, blank=blank, damaged=damaged),
        marks=tuple(_marks(pages)),
    )


def _marks(pages: Sequence[tuple[int, str]]) -> Iterator[PlaceMark]:
    """Yield where each page begins in the text, in which a blank line divides them."""
    line = 1
    for number, text in pages:
        yield PlaceMark(line=line, page=number)
        line += text.count("\n") + 2


def _open(data: bytes) -> PdfReader:
    try:
        reader = PdfReader(io.BytesIO(data))
        # Many PDFs are encrypted with the empty password, only to forbid printing.
        if reader.is_encrypted and not reader.decrypt(""):
            raise SourceError("is protected by a password")
    except DependencyError as error:
        raise SourceError("is encrypted in a way that cannot be read here") from error
    except LimitReachedError as error:
        raise SourceError("unpacks to more than is allowed, or never ends") from error
    return reader


def _tidy(text: str) -> str:
    lines = (_BLANKS.sub(" ", line).strip() for line in text.splitlines())
    return _HYPHENATED.sub("", "\n".join(line for line in lines if line))


def _title(reader: PdfReader) -> str:
    title = reader.metadata.title if reader.metadata else None
    return "" if title is None or _NO_TITLE.fullmatch(title) else title


def _notes(*, total: int, pages_max: int, blank: int, damaged: int) -> tuple[str, ...]:
    notes = []
    if total > pages_max:
        notes.append(f"only the first {pages_max:,} of {total:,} pages were read")
    if blank:
        notes.append(f"{blank:,} of {total:,} pages have no text layer")
    if damaged:
        notes.append(f"{damaged:,} of {total:,} pages are damaged")
    return tuple(notes)
