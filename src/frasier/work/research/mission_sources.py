"""The sources of a mission: each has a number for the whole mission, and its passages are searchable."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from frasier.kernel.redaction import redact
from frasier.kernel.source_places import PlaceMark, describe_place
from frasier.kernel.source_units import SourceText
from frasier.kernel.text import shorten
from frasier.llm import DocumentEntry, Passage, one_line
from frasier.memory import MemoryEngine, MemoryKind, NewMemory, save_memories
from frasier.store import Statements, Tx, from_row
from frasier.work.research.documents.chunks import Chunk, passages
from frasier.work.research.documents.types import Document
from frasier.work.research.revocation_cues import says_revoked
from frasier.work.research.text_ranking import rank_texts
from frasier.work.run_memory import remember

_sql = Statements("frasier.work.research")

_OPENING_CHARS = 2_000
_TITLE_CHARS = 200
_MAIL_SUFFIX = ".eml"
_SUBJECT = re.compile(r"^Subject: *(\S.*)$", re.MULTILINE | re.IGNORECASE)
_RANKED_MAX = 100
_REVOKING_MAX = 50  # of one source
_REVOKING_OF_MISSION = 2_000
_MARKS = TypeAdapter(tuple[PlaceMark, ...])


class SourceKind(StrEnum):
    FILE = "file"
    WEB = "web"
    DELIVERABLE = "deliverable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source that was really read. `uri` is a path below the sources folder, a URL, or an earlier mission;
    `opening` is its first passage, word for word.
    """

    mission_id: UUID
    number: int
    kind: SourceKind
    uri: str
    title: str
    sha256: str
    chars: int
    opening: str
    notes: list[str] = field(default_factory=list)
    read_at: datetime

    @property
    def name(self) -> str:
        """The name that a reader is shown: of a mail its subject, which its thread may share, else the title."""
        is_mail = self.kind is SourceKind.FILE and self.uri.lower().endswith(_MAIL_SUFFIX)
        subject = _SUBJECT.search(self.opening.partition("\n\n")[0]) if is_mail else None
        return shorten(one_line(subject[1]), _TITLE_CHARS) if subject else self.title


def source_scope(mission_id: UUID) -> str:
    """Return the memory scope of the passages of a mission's sources."""
    return f"sources:{mission_id}"


async def add_documents(tx: Tx, mission_id: UUID, documents: Sequence[Document]) -> int:
    """Number and index local documents; return the number of passages."""
    indexed = 0
    for document in documents:
        indexed += await add_source(
            tx,
            mission_id,
            kind=SourceKind.FILE,
            uri=document.path,
            title=document.title,
            sha256=document.sha256,
            text=document.text,
            notes=document.notes,
            marks=document.marks,
        )
    return indexed


async def add_source(
    tx: Tx,
    mission_id: UUID,
    *,
    kind: SourceKind,
    uri: str,
    title: str,
    sha256: str,
    text: str,
    notes: Sequence[str] = (),
    marks: Sequence[PlaceMark] = (),
) -> int:
    """Number one source and index its passages; return their number, 0 if the mission had read it before.

    The title is untrusted, so it is reduced to one line of visible text.
    """
    title = shorten(one_line(title), _TITLE_CHARS) or uri
    chunks = passages(text)
    await _sql.run(tx, "lock_sources", mission_id=mission_id)
    row = await _sql.maybe(
        tx,
        "insert_source",
        mission_id=mission_id,
        kind=kind,
        uri=uri,
        title=title,
        sha256=sha256,
        chars=len(text),
        opening=redact(chunks[0].text[:_OPENING_CHARS])[0] if chunks else "",
        notes=list(notes),
    )
    if row is None:
        return 0
    number = row["number"]
    await _store_text(tx, mission_id, number, text, marks)
    await _store_revoking(tx, mission_id, number, chunks)
    places = _places(text, chunks, marks)
    await save_memories(
        tx,
        [
            _as_memory(mission_id, number, title, chunk, place)
            for chunk, place in zip(chunks, places, strict=True)
        ],
    )
    return len(chunks)


async def _store_text(tx: Tx, mission_id: UUID, number: int, text: str, marks: Sequence[PlaceMark]) -> None:
    """Store the whole text of a source, like its passages, which models read, without secrets."""
    content = redact(text)[0]
    # Without a secret that had several lines, the lines of pages are no longer known.
    known = marks if content.count("\n") == text.count("\n") else ()
    stored = Jsonb(_MARKS.dump_python(tuple(known), mode="json"))
    await _sql.run(
        tx, "insert_source_text", mission_id=mission_id, number=number, content=content, marks=stored
    )


async def _store_revoking(tx: Tx, mission_id: UUID, number: int, chunks: Sequence[Chunk]) -> None:
    """Store the passages of a source that may say of another one that it no longer holds."""
    revoking = [chunk for chunk in chunks if says_revoked(chunk.text)][:_REVOKING_MAX]
    if revoking:
        await _sql.run(
            tx,
            "insert_revoking_passages",
            mission_id=mission_id,
            number=number,
            ordinals=[chunk.ordinal for chunk in revoking],
            contents=[redact(chunk.text)[0] for chunk in revoking],
        )


def _places(text: str, chunks: Sequence[Chunk], marks: Sequence[PlaceMark]) -> Iterator[str]:
    """Yield the place of each passage in the text, such as "page 3, under Fees"."""
    line, position = 1, 0
    for chunk in chunks:
        line += text.count("\n", position, chunk.start)
        position = chunk.start
        lines = (line, line + chunk.text.count("\n"))
        yield describe_place(lines, path=(chunk.heading,) if chunk.heading else (), marks=marks)


def _as_memory(mission_id: UUID, number: int, title: str, chunk: Chunk, place: str) -> NewMemory:
    return NewMemory(
        kind=MemoryKind.PASSAGE,
        scope=source_scope(mission_id),
        # Title and heading are indexed with a passage, which may not contain their words.
        title=f"{title} — {chunk.heading}" if chunk.heading else title,
        content=chunk.text,
        provenance={"source": number, "ordinal": chunk.ordinal, "title": title, "place": place},
    )


async def sources_of(tx: Tx, mission_id: UUID) -> list[Source]:
    """Return the sources of a mission by number."""
    rows = await _sql.all(tx, "sources_of", mission_id=mission_id)
    return [from_row(Source, row) for row in rows]


def document_entries(sources: Sequence[Source]) -> tuple[DocumentEntry, ...]:
    """Return sources as the entries of the planner's list of documents."""
    return tuple(
        DocumentEntry(number=source.number, title=source.title, path=source.uri, chars=source.chars)
        for source in sources
    )


async def source_texts(tx: Tx, mission_id: UUID, numbers: Collection[int]) -> list[SourceText]:
    """Return the whole texts of those sources of a mission that have one of the numbers, by number."""
    rows = await _sql.all(tx, "source_texts", mission_id=mission_id, numbers=sorted(numbers))
    return [source_text(row) for row in rows]


def source_text(row: DictRow) -> SourceText:
    """Build a source's text from a row of number, title, content and marks."""
    return SourceText(
        number=row["number"],
        title=row["title"],
        text=row["content"],
        marks=_MARKS.validate_python(row["marks"]),
    )


async def revoking_passages(tx: Tx, mission_id: UUID) -> list[Passage]:
    """Return the passages of a mission's sources that may say of another one that it no longer holds."""
    rows = await _sql.all(tx, "revoking_passages", mission_id=mission_id, limit=_REVOKING_OF_MISSION)
    return [Passage(number=row["number"], title=row["title"], text=row["content"]) for row in rows]


async def whole_sources(
    tx: Tx, mission_id: UUID, *, first: Collection[int], only: Collection[int] | None, chars_max: int
) -> list[Passage]:
    """Return the sources of a mission as one passage each, as many as `chars_max` has room for, those `first` first."""
    everything = await sources_of(tx, mission_id)
    sources = {source.number: source for source in everything if only is None or source.number in only}
    fitting: list[int] = []
    chars = 0
    for number in sorted(sources, key=lambda number: (number not in first, number)):
        chars += sources[number].chars
        if chars > chars_max:
            break
        fitting.append(number)
    return [
        Passage(
            number=text.number,
            title=text.title,
            text=text.text,
            file=sources[text.number].uri if sources[text.number].kind == SourceKind.FILE else "",
            is_whole=len(fitting) == len(everything),
        )
        for text in await source_texts(tx, mission_id, fitting)
    ]


async def find_passages(
    engine: MemoryEngine, mission_id: UUID, query: str, *, limit: int, only: Collection[int] | None = None
) -> list[Passage]:
    """Return the passages of a mission's sources that answer `query` best, at most 100; of those in `only`, if given.

    Where others take all places of the search, the passages of `only` are ranked by themselves.
    """
    memories = await remember(
        engine,
        query,
        scopes=(source_scope(mission_id),),
        kinds=frozenset({MemoryKind.PASSAGE}),
        limit=min(limit if only is None else limit * 4, _RANKED_MAX),
        # Passages are ranked by their match alone, so their use is not recorded.
        track=False,
    )
    hits = [
        Passage(number=memory.provenance["source"], title=memory.provenance["title"], text=memory.content)
        for memory in memories
    ]
    if only is None:
        return hits
    of_these = [hit for hit in hits if hit.number in only][:limit]
    if len(hits) == _RANKED_MAX and len(of_these) < limit:
        async with engine.database.transaction() as tx:
            texts = await source_texts(tx, mission_id, only)
        ranked = await asyncio.to_thread(rank_texts, texts, query)
        of_these += [passage for passage in ranked if passage not in of_these]
    return of_these[:limit]
