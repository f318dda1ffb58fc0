"""Extraction of bounded plain text from the bytes of a file or web page of a known kind."""

from __future__ import annotations

import dataclasses
import functools
import re

from frasier.kernel.errors import SourceError
from frasier.kernel.source_places import shift_marks
from frasier.kernel.text import shorten
from frasier.work.research.documents.csv_text import parse_delimited
from frasier.work.research.documents.decoding import decode_text
from frasier.work.research.documents.mail_text import parse_mail, parse_mailbox
from frasier.work.research.documents.parser_process import ParserProcess
from frasier.work.research.documents.text_cleanup import cut_text, heading_title, one_line, plain_text
from frasier.work.research.documents.types import DocumentLimits, Media
from frasier.work.research.documents.untrusted.parsed import Parsed

_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_META_WITHIN_BYTES = 4_096

_FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#{1,6}[ \t]+(\S.*)$|^(\S.*)\n={3,}$", re.MULTILINE)
_TITLE_WITHIN_CHARS = 20_000
_TITLE_CHARS_MAX = 200


def extract_text(
    data: bytes,
    media: Media,
    *,
    limits: DocumentLimits,
    parsers: ParserProcess,
    charset: str | None = None,
    url: str = "",
) -> Parsed:
    """Extract the text of `data`, never blank, with its links, notes, and title, if any.

    `charset` is the encoding that a header declares; `url` is the address of a web page. Blocks for up to
    `limits.parse_timeout_s`. Raises SourceError, whose message is a predicate ("is protected by a password").
    """
    if not data:
        raise SourceError("is empty")
    parsed = _parse(data, media, limits=limits, parsers=parsers, charset=charset, url=url)
    plain = plain_text(parsed.text)
    text, cut = cut_text(plain.strip(), limits.document_chars_max)
    if not text:
        raise SourceError("holds no text")
    title = shorten(one_line(parsed.title) or _first_heading(text, media), _TITLE_CHARS_MAX)
    before = plain[: len(plain) - len(plain.lstrip())].count("\n")
    marks = shift_marks(parsed.marks, before)
    return dataclasses.replace(parsed, title=title, text=text, notes=(*parsed.notes, *cut), marks=marks)


def _parse(
    data: bytes,
    media: Media,
    *,
    limits: DocumentLimits,
    parsers: ParserProcess,
    charset: str | None,
    url: str,
) -> Parsed:
    if media in {Media.PDF, Media.DOCX, Media.XLSX}:
        return parsers.parse(media, data)
    if media in {Media.EMAIL, Media.MBOX}:
        read_part = functools.partial(_parse_part, limits=limits, parsers=parsers)
        parse = parse_mail if media is Media.EMAIL else parse_mailbox
        return parse(data, limits=limits, read_part=read_part)
    if media is Media.HTML and charset is None:
        match = _META_CHARSET.search(data, 0, _META_WITHIN_BYTES)
        charset = match[1].decode("ascii") if match else None
    text, notes = decode_text(data, charset)
    if media is Media.HTML:
        parsed = parsers.parse(media, text.encode(), url=url)
    elif media is Media.CSV:
        parsed = parse_delimited(plain_text(text), limits.csv_rows_max)
    else:
        parsed = Parsed(title="", text=text)
    return dataclasses.replace(parsed, notes=(*notes, *parsed.notes))


def _parse_part(
    data: bytes, media: Media, charset: str | None, *, limits: DocumentLimits, parsers: ParserProcess
) -> Parsed:
    return _parse(data, media, limits=limits, parsers=parsers, charset=charset, url="")


def _first_heading(text: str, media: Media) -> str:
    if media not in {Media.MARKDOWN, Media.HTML, Media.DOCX}:
        return ""  # elsewhere a line that begins with "#" is more likely a comment
    match = _HEADING.search(_FENCED.sub("", text[:_TITLE_WITHIN_CHARS]))
    return heading_title(match[1] or match[2]) if match else ""
