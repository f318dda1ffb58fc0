"""The documents that come with a request: as texts in it, as uploads, or as paths of the founder's machine."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, TypeAlias
from uuid import UUID

from pydantic import AfterValidator, Field

from frasier.interfaces.operations import OperationContext, StorableInput
from frasier.kernel.errors import InvalidInput, NotAllowed
from frasier.kernel.file_names import plain_file_name

_NAME_CHARS_MAX = 200
_DOCUMENTS_MAX = 50


def _check_name(name: str) -> str:
    """Refuse what would leave the folder, would be read as a hidden file, or cannot be the name of one."""
    if name != plain_file_name(name):
        raise ValueError("it is no plain file name such as offers.md")
    return name


class InlineDocument(StorableInput):
    """A document as text. Its name says what it is, such as offers.md or prices.csv."""

    name: Annotated[str, AfterValidator(_check_name)] = Field(min_length=1, max_length=_NAME_CHARS_MAX)
    text: str = Field(min_length=1)


Documents: TypeAlias = Annotated[
    tuple[InlineDocument, ...],
    Field(max_length=_DOCUMENTS_MAX, description="Documents to work from, as texts"),
]
Uploads: TypeAlias = Annotated[
    tuple[UUID, ...], Field(max_length=_DOCUMENTS_MAX, description="Ids of uploaded documents to work from")
]
Paths: TypeAlias = Annotated[
    tuple[str, ...],
    Field(max_length=100, description="Files or folders to read; only for the founder at the machine"),
]


def check_at_machine(context: OperationContext, what: str) -> None:
    """Raise NotAllowed unless the caller is at the founder's machine: elsewhere nobody may choose files of it."""
    if not context.at_machine:
        raise NotAllowed(
            f"Only the founder at the machine can name {what} there.",
            kept="Nothing was started.",
            hint="Send the documents themselves, as texts or as uploads.",
        )


@asynccontextmanager
async def given_files(
    context: OperationContext,
    *,
    documents: Sequence[InlineDocument],
    uploads: Sequence[UUID],
    paths: Sequence[str],
) -> AsyncIterator[tuple[Path, ...]]:
    """Offer the documents of a request as files while the body runs. Raises NotAllowed and InvalidInput."""
    if paths:
        check_at_machine(context, "files")
    if uploads and context.write_uploads is None:
        raise InvalidInput("There are no uploads here.", kept="Nothing was started.")
    names = [document.name for document in documents]
    if len(set(names)) < len(names):
        raise InvalidInput("Two documents have the same name.", kept="Nothing was started.")
    with tempfile.TemporaryDirectory(prefix="frasier-documents-") as place:
        folder = Path(place) / "documents"
        folder.mkdir()
        for document in documents:
            (folder / document.name).write_text(document.text, "utf-8")
        if context.write_uploads is not None and uploads:
            await context.write_uploads(uploads, folder)
        yield (*map(Path, paths), *([folder] if documents or uploads else []))
