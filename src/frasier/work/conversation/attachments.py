"""The attachments of a message: files and links read as text, and cut to what a request has room for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol
from uuid import UUID

from frasier.kernel.errors import CapabilityRefused, SourceError
from frasier.kernel.source_units import SourceText
from frasier.kernel.text import estimate_tokens
from frasier.llm import Passage, share_tokens
from frasier.org.conversation import Attachment, AttachmentKind, FounderMessage, check_message, say
from frasier.store import Database, Tx
from frasier.work.research.documents.chunks import passages
from frasier.work.research.documents.read_folders import read_sources
from frasier.work.research.mission_sources import SourceKind, add_source
from frasier.work.research.text_ranking import rank_texts
from frasier.work.research.web import UrlLedger, WebPage, links_in
from frasier.work.run_lease import Run

LINKS_MAX = 5
"""The most links of a message that are read."""

_LEFT_OUT = "\n\n[… text left out …]\n\n"


class PageFetcher(Protocol):
    """The guarded fetcher of web pages."""

    async def fetch(self, url: str, ledger: UrlLedger) -> WebPage: ...


async def take_message(database: Database, text: str, files: Sequence[Path]) -> FounderMessage:
    """Store a message of the founder with the files attached to it, and give the chief of staff the task of answering.

    A file that cannot be read is stored with the reason. Raises InvalidInput, with nothing stored, for an unusable
    message and for a file that does not exist.
    """
    message = check_message(text)
    attached = await asyncio.to_thread(_read_files, files) if files else []
    async with database.transaction() as tx:
        return await say(tx, message, attached)


def _read_files(files: Sequence[Path]) -> list[Attachment]:
    scan = read_sources(files)
    documents = [
        Attachment(
            kind=AttachmentKind.FILE,
            name=document.path,
            title=document.title,
            sha256=document.sha256,
            content=document.text,
            marks=document.marks,
        )
        for document in scan.documents
    ]
    return [
        *documents,
        *(
            Attachment(kind=AttachmentKind.FILE, name=problem.path, problem=problem.reason)
            for problem in scan.problems
        ),
    ]


class LinkReader:
    """A reader of the links that the founder wrote in a message, and no others: no page can name a further one."""

    def __init__(self, fetcher: PageFetcher) -> None:
        self._fetcher = fetcher

    async def read(self, links: Sequence[str]) -> list[Attachment]:
        """Read each link; of one that could not be read, return the reason."""
        return [await self._read(link) for link in links]

    async def _read(self, link: str) -> Attachment:
        ledger = UrlLedger()
        ledger.allow([link], "the founder's message")
        try:
            page = await self._fetcher.fetch(link, ledger)
        except SourceError as error:
            return _unread(link, error.message)
        if not page.text.strip():
            return _unread(link, "The page has no text.")
        return Attachment(
            kind=AttachmentKind.WEB,
            name=link,
            title=page.title or link,
            sha256=page.sha256,
            content=page.text,
            marks=page.marks,
        )


async def read_links(run: Run, text: str) -> list[Attachment]:
    """Read the links of a message, as many as are read of one; of a run that may not, return the reason for each."""
    links = links_in(text)
    if not links:
        return []
    try:
        read = await (await run.links()).read(links[:LINKS_MAX])
    except CapabilityRefused as refused:
        read = [_unread(link, refused.message) for link in links[:LINKS_MAX]]
    too_many = f"Only {LINKS_MAX} links of a message are read."
    return [*read, *(_unread(link, too_many) for link in links[LINKS_MAX:])]


def _unread(link: str, problem: str) -> Attachment:
    return Attachment(kind=AttachmentKind.WEB, name=link, problem=problem)


def readable(attachments: Sequence[Attachment]) -> list[Attachment]:
    """Return the attachments that were read."""
    return [one for one in attachments if one.content is not None]


def unreadable(attachments: Sequence[Attachment]) -> tuple[str, ...]:
    """Return a line for each attachment that could not be read, with the reason."""
    return tuple(f"{one.name}: {one.problem}" for one in attachments if one.problem is not None)


def fit_attachments(attachments: Sequence[Attachment], query: str, tokens_max: int) -> tuple[Passage, ...]:
    """Return the texts of attachments within `tokens_max`: of one that is too long its beginning, and the passages that
    share most with the query.
    """
    texts = [(one, one.content or "") for one in readable(attachments)]
    shares = share_tokens([estimate_tokens(text) for _, text in texts], [1] * len(texts), tokens_max)
    return tuple(
        Passage(number=number, title=one.title, text=_fit(text, query, tokens), file=one.name)
        for number, ((one, text), tokens) in enumerate(zip(texts, shares, strict=True), start=1)
    )


def _fit(text: str, query: str, tokens_max: int) -> str:
    if estimate_tokens(text) <= tokens_max:
        return text
    chunks = [chunk.text for chunk in passages(text)]
    ranked = [one.text for one in rank_texts([SourceText(number=1, title="", text=text)], query)]
    chosen: set[str] = set()
    left = tokens_max
    for chunk in dict.fromkeys([*chunks[:1], *ranked, *chunks]):
        left -= estimate_tokens(chunk + _LEFT_OUT)
        if left < 0:
            break
        chosen.add(chunk)
    return _LEFT_OUT.join(chunk for chunk in chunks if chunk in chosen)


async def add_as_sources(tx: Tx, mission_id: UUID, attachments: Sequence[Attachment]) -> None:
    """Make the attachments that were read numbered sources of a mission."""
    for one in readable(attachments):
        await add_source(
            tx,
            mission_id,
            kind=SourceKind(one.kind),
            uri=one.name,
            title=one.title,
            sha256=one.sha256 or "",
            text=one.content or "",
            marks=one.marks,
        )
