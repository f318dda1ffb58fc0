"""The questions of a collection with their known answers, as `collections/ID/questions.json` holds them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.deliverables.generated import COLLECTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact to find, in any of its spellings; `source` is the document that holds it."""

    spellings: tuple[str, ...]
    about: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about a collection in a `folder` of collections.

    `false_patterns` match what must not be stated as current, `absences` say what the sources do not hold, and
    `documents` is the number of documents that have to be examined.
    """

    collection: str
    number: int
    directive: str
    facts: tuple[Fact, ...]
    false_patterns: tuple[str, ...]
    absences: tuple[str, ...]
    documents: int
    folder: Path = COLLECTIONS

    @property
    def name(self) -> str:
        return f"{self.collection}/{self.number}"


def collections(folder: Path = COLLECTIONS) -> list[str]:
    """Return the names of all collections."""
    return sorted(path.parent.name for path in folder.glob("*/questions.json"))


def questions_of(collection: str, folder: Path = COLLECTIONS) -> Sequence[Question]:
    """Return the questions of a collection in their order, numbered from 1."""
    entries = json.loads((folder / collection / "questions.json").read_text("utf-8"))
    return [
        Question(
            collection=collection,
            number=number,
            directive=entry["directive"],
            facts=tuple(
                Fact(spellings=tuple(fact["any_of"]), about=fact["about"], source=fact["source"])
                for fact in entry["facts"]
            ),
            false_patterns=tuple(entry["false"]),
            absences=tuple(entry["absent"]),
            documents=entry["documents"],
            folder=folder,
        )
        for number, entry in enumerate(entries, 1)
    ]
