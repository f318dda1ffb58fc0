"""The documents that a plan assigns to a step, by number and by folder. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from frasier.llm import DocumentEntry
from frasier.llm.reply_schemas import PlannedStep


def assigned_documents(step: PlannedStep, documents: Sequence[DocumentEntry]) -> tuple[int, ...]:
    """Return the numbers of the documents that a step reads, in order; none if it reads all."""
    numbers = set(step.documents)
    for folder in step.folders:
        numbers.update(_below(folder, documents))
    return tuple(sorted(numbers))


def unknown_folders(step: PlannedStep, documents: Sequence[DocumentEntry]) -> list[str]:
    """Return the folders of a step that hold no document."""
    return [folder for folder in step.folders if not any(_below(folder, documents))]


def _below(folder: str, documents: Sequence[DocumentEntry]) -> Iterator[int]:
    """Yield the numbers of the documents in a folder and those in it; "." has those that are in no other."""
    name = folder.strip().removeprefix("./").strip("/")
    for document in documents:
        if document.path.startswith(f"{name}/") if name not in {"", "."} else "/" not in document.path:
            yield document.number
