"""The reading of folders: each file is opened, classified, parsed, and bounded."""

from __future__ import annotations

import hashlib
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath, PurePosixPath

from frasier.kernel.errors import InvalidInput, SourceError
from frasier.work.research.documents.extraction import extract_text
from frasier.work.research.documents.file_types import choose_media
from frasier.work.research.documents.folder import FolderWalk, SourceFile, read_file
from frasier.work.research.documents.parser_process import ParserProcess
from frasier.work.research.documents.types import Document, DocumentLimits, Problem, Scan


def read_sources(roots: Sequence[Path], limits: DocumentLimits | None = None) -> Scan:
    """Read every document in `roots`, which are folders or single files.

    With several roots, paths begin with the folder's name. An unreadable file is a problem of the scan, and
    stops nothing. Raises InvalidInput if a root does not exist. Blocks: call it in a thread.
    """
    limits = limits or DocumentLimits()
    for root in roots:
        if _is_missing(root):
            raise InvalidInput(
                f"The source {root} does not exist.", hint="Name a folder or a file that this user can read."
            )
    walk = FolderWalk(limits=limits)
    with ParserProcess(limits) as parsers:
        reading = _Reading(limits=limits, parsers=parsers, ends_at=time.monotonic() + limits.total_s_max)
        for file in _find_all(walk, roots):
            if not reading.take(file):
                break
    return Scan(
        documents=tuple(sorted(reading.documents, key=lambda document: document.path)),
        problems=tuple(sorted(walk.problems + reading.problems, key=lambda problem: problem.path)),
        skipped_hidden=walk.skipped_hidden,
    )


def _is_missing(root: Path) -> bool:
    try:
        root.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False  # it exists, and the walk reports why it is unreadable
    return False


def _find_all(walk: FolderWalk, roots: Sequence[Path]) -> Iterator[SourceFile]:
    used: Counter[str] = Counter()
    for root in roots:
        name = PurePath(os.path.realpath(root)).name
        used[name] += 1
        if used[name] > 1:
            name = f"{PurePath(name).stem}-{used[name]}{PurePath(name).suffix}"
        yield from walk.files(root, name, alone=len(roots) == 1)


@dataclass(slots=True)
class _Reading:
    """The growing documents of one scan, and their shared bounds."""

    limits: DocumentLimits
    parsers: ParserProcess
    ends_at: float
    documents: list[Document] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    files: int = 0
    chars: int = 0

    def take(self, file: SourceFile) -> bool:
        """Read one more file; return False if a bound of the whole scan is reached."""
        if self.files == self.limits.files_max:
            return self._end(file, f"more than {self.limits.files_max:,} files")
        if time.monotonic() > self.ends_at:
            return self._end(file, f"more than can be read in {self.limits.total_s_max:g} s")
        self.files += 1
        try:
            document = _read_document(file, self.limits, self.parsers)
        except SourceError as refused:
            self.problems.append(Problem(path=file.shown, reason=f"The file {refused.message}."))
            return True
        if self.chars + len(document.text) > self.limits.total_chars_max:
            return self._end(file, f"more than {self.limits.total_chars_max:,} characters of text")
        self.chars += len(document.text)
        self.documents.append(document)
        return True

    def _end(self, file: SourceFile, what: str) -> bool:
        reason = f"The sources hold {what}; this file and all after it were not read."
        self.problems.append(Problem(path=file.shown, reason=reason))
        return False


def _read_document(file: SourceFile, limits: DocumentLimits, parsers: ParserProcess) -> Document:
    data = read_file(file.real, limits.file_bytes_max)
    if not data:
        raise SourceError("is empty")
    media = choose_media(file.shown, data)
    parsed = extract_text(data, media, limits=limits, parsers=parsers)
    return Document(
        path=file.shown,
        title=parsed.title or PurePosixPath(file.shown).stem,
        media=media,
        text=parsed.text,
        sha256=hashlib.sha256(data).hexdigest(),
        size_bytes=len(data),
        notes=parsed.notes,
        marks=parsed.marks,
    )
