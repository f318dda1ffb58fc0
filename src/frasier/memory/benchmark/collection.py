"""A test collection in BEIR layout: corpus.jsonl, queries.jsonl and qrels/*.tsv in one folder."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from frasier.kernel.errors import InvalidInput
from frasier.memory.types import MemoryKind, NewMemory

_GRADE = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One document of the corpus. `group` separates documents of different owners."""

    id: str
    title: str
    text: str
    group: str
    speaker: str | None
    thread: str | None
    occurred_at: datetime | None

    def as_memory(self, scope: str) -> NewMemory:
        """Return the text as a memory: as a turn of a conversation if it has a speaker, else as a passage."""
        return NewMemory(
            kind=MemoryKind.CONVERSATION if self.speaker else MemoryKind.PASSAGE,
            scope=scope,
            title="" if self.text.startswith(self.title) else self.title,
            content=self.text.strip() or self.title or "(empty)",
            speaker=self.speaker,
            thread=self.thread,
            occurred_at=self.occurred_at,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedQuery:
    """One query and the documents that answer it, by id, with their grades (1 or more)."""

    id: str
    text: str
    group: str
    category: str
    relevant: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Documents and judged queries; `qrels` names the judgements that were read."""

    name: str
    qrels: str
    texts: tuple[Text, ...]
    questions: tuple[JudgedQuery, ...]

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups, in the order of the corpus."""
        return tuple(dict.fromkeys(text.group for text in self.texts))


def read_collection(
    folder: Path, *, qrels: str | None = None, categories: Sequence[str] | None = None
) -> Collection:
    """Read the collection in `folder`; `qrels` selects one of several sets of judgements.

    `categories` selects the queries of those categories. Queries without a relevant document are left out, since
    they measure nothing. Raises InvalidInput that names the file and line of the fault.
    """
    judged_by, judgements = _judgements(folder, qrels)
    texts = tuple(_text(row, where) for row, where in _lines(folder / "corpus.jsonl"))
    known = {text.id for text in texts}
    questions = []
    for row, where in _lines(folder / "queries.jsonl"):
        relevant = {doc: grade for doc, grade in judgements.get(_id(row, where), {}).items() if grade > 0}
        question = _question(row, where, relevant)
        if relevant and (not categories or question.category in categories):
            questions.append(question)
    unknown = sorted({doc for question in questions for doc in question.relevant} - known)
    if unknown:
        raise InvalidInput(
            f"{judged_by} judges {len(unknown)} documents that are not in corpus.jsonl, {unknown[0]} first.",
            hint="Use the three files of one collection.",
        )
    if not texts or not questions:
        raise InvalidInput(
            f"{folder} holds no judged question.", hint="A collection has corpus, queries and qrels."
        )
    return Collection(name=folder.name, qrels=judged_by, texts=texts, questions=tuple(questions))


def _judgements(folder: Path, name: str | None) -> tuple[str, dict[str, dict[str, int]]]:
    paths = sorted((folder / "qrels").glob("*.tsv")) if folder.is_dir() else []
    if not paths:
        raise InvalidInput(
            f"{folder} is not a collection in BEIR layout: it has no qrels/*.tsv.",
            hint="The folder must hold corpus.jsonl, queries.jsonl and qrels/NAME.tsv.",
        )
    names = [path.stem for path in paths]
    if name is None and len(paths) > 1:
        raise InvalidInput(
            f"{folder.name} has several sets of judgements: {', '.join(names)}.",
            hint="Choose one of them.",
        )
    if name is not None and name not in names:
        raise InvalidInput(
            f"{folder.name} has no judgements named {name!r}, only {', '.join(names)}.",
            hint="Choose one of them.",
        )
    path = paths[0] if name is None else paths[names.index(name)]
    judgements: dict[str, dict[str, int]] = {}
    for number, line in enumerate(_read(path).split("\n"), 1):
        cells = line.split("\t")
        if number == 1 or not line.strip():
            continue
        if len(cells) != 3 or not _GRADE.fullmatch(cells[2].strip()):
            raise _malformed(
                f"{path.name}, line {number}: not a query, a document and a grade separated by tabs."
            )
        judgements.setdefault(cells[0], {})[cells[1]] = int(cells[2])
    return path.stem, judgements


def _lines(path: Path) -> Iterator[tuple[dict[str, Any], str]]:
    for number, line in enumerate(_read(path).split("\n"), 1):
        where = f"{path.name}, line {number}"
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise _malformed(f"{where}: not JSON ({error}).") from error
        if not isinstance(row, dict):
            raise _malformed(f"{where}: not an object.")
        yield row, where


def _malformed(message: str) -> InvalidInput:
    return InvalidInput(
        message,
        kept="Nothing was measured.",
        hint="Each line of corpus.jsonl and queries.jsonl is an object with _id and text; each line of"
        " qrels/NAME.tsv is a query, a document and a grade.",
    )


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _malformed(f"Cannot read {path}: {error}.") from error


def _id(row: dict[str, Any], where: str) -> str:
    identifier = row.get("_id")
    if not isinstance(identifier, str) or not identifier:
        raise _malformed(f"{where}: no _id.")
    return identifier


def _text(row: dict[str, Any], where: str) -> Text:
    metadata = _metadata(row, where)
    date = metadata.get("session_date")
    session = metadata.get("session", date)
    return Text(
        id=_id(row, where),
        title=str(row.get("title") or ""),
        text=str(row.get("text") or ""),
        group=str(metadata.get("group", "")),
        speaker=str(metadata["speaker"]) if metadata.get("speaker") else None,
        thread=None if session is None else f"session {session}",
        occurred_at=_moment(date, where) if date else None,
    )


def _question(row: dict[str, Any], where: str, relevant: Mapping[str, int]) -> JudgedQuery:
    metadata = _metadata(row, where)
    return JudgedQuery(
        id=_id(row, where),
        text=str(row.get("text") or ""),
        group=str(metadata.get("group", "")),
        category=str(metadata.get("category", "")),
        relevant=relevant,
    )


def _metadata(row: dict[str, Any], where: str) -> dict[str, Any]:
    metadata = row.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise _malformed(f"{where}: metadata is not an object.")
    return metadata


def _moment(written: object, where: str) -> datetime:
    """Parse a date in prose, such as "1:56 pm on 8 May, 2023", or in ISO form."""
    from dateutil.parser import ParserError, parse

    try:
        moment: datetime = parse(str(written).replace(" on ", " "))
    except (ParserError, OverflowError) as error:
        raise _malformed(f"{where}: session_date {str(written)[:40]!r} is not a date.") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
