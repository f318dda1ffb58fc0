"""Parsing of a host's reply into a page: text, title and links."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from frasier.kernel.errors import SourceError
from frasier.kernel.source_places import PlaceMark
from frasier.outbound.http_client import HttpReply
from frasier.work.research.documents.extraction import extract_text
from frasier.work.research.documents.file_types import choose_media
from frasier.work.research.documents.parser_process import ParserProcess
from frasier.work.research.documents.types import DocumentLimits, Media
from frasier.work.research.web.urls import normalise_url

_LINKS_MAX = 300
_READERS = {
    "text/html": Media.HTML,
    "application/xhtml+xml": Media.HTML,
    "text/markdown": Media.MARKDOWN,
    "text/x-markdown": Media.MARKDOWN,
    "text/csv": Media.CSV,
    "text/tab-separated-values": Media.CSV,
    "application/pdf": Media.PDF,
    "application/json": Media.TEXT,
    "application/xml": Media.TEXT,
}
_NO_TEXT_FOR_PEOPLE = {"text/css", "text/javascript"}
_UNTOLD = {"", "application/octet-stream", "binary/octet-stream"}


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPage:
    """A page of the web as text.

    `url` was requested and `final_url` answered after redirects, both normalised. `text` is
    plain text or Markdown, and comes from outside: fence it as data. `sha256` is of the unpacked body.
    `links` are normalised, each once, in the page's order. `notes` say what is missing from the text,
    `marks` where its pages or fragments begin.
    """

    url: str
    final_url: str
    title: str
    text: str
    sha256: str
    status: int
    content_type: str
    links: tuple[str, ...]
    notes: tuple[str, ...]
    marks: tuple[PlaceMark, ...] = ()


async def read_page(
    url: str, answer: HttpReply, *, limits: DocumentLimits, parsers: ParserProcess
) -> WebPage:
    """Parse the page in `answer`. Raises SourceError if it holds no readable text."""
    try:
        media = _choose_reader(answer)
        parsed = await asyncio.to_thread(
            extract_text,
            answer.body,
            media,
            limits=limits,
            parsers=parsers,
            charset=answer.charset,
            url=answer.url,
        )
    except SourceError as refused:
        raise SourceError(f"{answer.url} {refused.message}.", hint=refused.hint) from refused
    return WebPage(
        url=url,
        final_url=answer.url,
        title=parsed.title or _title_from(answer.url),
        text=parsed.text,
        sha256=hashlib.sha256(answer.body).hexdigest(),
        status=answer.status,
        content_type=answer.content_type,
        links=_normalise_links(parsed.links),
        notes=parsed.notes,
        marks=parsed.marks,
    )


def _choose_reader(answer: HttpReply) -> Media:
    mime = answer.content_type
    readable = (
        mime in _READERS or mime in _UNTOLD or mime.endswith(("+json", "+xml")) or mime.startswith("text/")
    )
    if not readable or mime in _NO_TEXT_FOR_PEOPLE:
        raise SourceError(f"is {mime}, which cannot be read as text")
    # The bytes count more than the declared type: some hosts send PDFs as text, and programs as pages.
    sniffed = choose_media(
        PurePosixPath(urlsplit(answer.url).path).name if mime in _UNTOLD else "", answer.body
    )
    if sniffed is Media.PDF:
        return Media.PDF
    if mime == "application/pdf":
        raise SourceError("is not a PDF, although its host says so")
    if mime in _UNTOLD:
        begins = answer.body[:200].lstrip().lower()
        return Media.HTML if begins.startswith((b"<!doctype html", b"<html")) else sniffed
    return _READERS.get(mime, Media.TEXT)


def _title_from(url: str) -> str:
    parts = urlsplit(url)
    return PurePosixPath(unquote(parts.path)).stem or parts.netloc


def _normalise_links(links: tuple[str, ...]) -> tuple[str, ...]:
    normalised: dict[str, None] = {}
    for link in links:
        try:
            normalised[normalise_url(link)] = None
        except SourceError:
            continue  # pages link to much that is no page
    return tuple(normalised)[:_LINKS_MAX]
