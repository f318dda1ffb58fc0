"""A bounded walk over the source files of folders, which stays inside and opens only regular files."""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from frasier.kernel.errors import SourceError
from frasier.kernel.read_descriptor import read_up_to
from frasier.work.research.documents.types import DocumentLimits, Problem

_MACHINE_MADE = frozenset({"__pycache__", "node_modules"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A regular file: its real path, and its display name."""

    real: str
    shown: str


@dataclass(slots=True)
class FolderWalk:
    """A walk over all roots. Iterating `files` fills `problems` and `skipped_hidden`."""

    limits: DocumentLimits
    problems: list[Problem] = field(default_factory=list)
    skipped_hidden: int = 0
    _seen: set[tuple[int, int]] = field(default_factory=set)
    _entries: int = 0

    def files(self, root: Path, name: str, *, alone: bool) -> Iterator[SourceFile]:
        """Yield the files under `root`, or `root` itself, each once. Paths begin with its name unless it is alone."""
        real = os.path.realpath(root)
        try:
            status = Path(real).stat()
        except OSError as error:
            self._report(_printable(name), _os_reason(error))
            return
        if stat.S_ISDIR(status.st_mode):
            if self._first_time(status):
                yield from self._folder(real, real, "" if alone else _printable(name), depth=1)
        else:
            yield from self._file(real, _printable(name), status)

    def _folder(self, top: str, folder: str, label: str, *, depth: int) -> Iterator[SourceFile]:
        for entry in self._list(folder, label):
            name = "/".join(filter(None, (label, _printable(entry.name))))
            if entry.name.startswith(".") or entry.name in _MACHINE_MADE:
                self.skipped_hidden += 1
                continue
            try:
                real = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
                status = Path(real).stat()
            except OSError as error:
                self._report(name, _os_reason(error))
                continue
            if os.path.commonpath((top, real)) != top:
                self._report(name, "The link leads out of the folder, and was not followed.")
            elif not stat.S_ISDIR(status.st_mode):
                yield from self._file(real, name, status)
            elif depth >= self.limits.depth_max:
                self._report(
                    name, f"The folder is deeper than {self.limits.depth_max} levels, and was not read."
                )
            elif self._first_time(status):
                yield from self._folder(top, real, name, depth=depth + 1)

    def _list(self, folder: str, label: str) -> list[os.DirEntry[str]]:
        """List a folder: sorted, links last, so that a file is read under its own name."""
        remaining = self.limits.entries_max - self._entries
        try:
            with os.scandir(folder) as scan:
                entries = list(itertools.islice(scan, remaining + 1))
        except OSError as error:
            self._report(label or ".", _os_reason(error, what="folder"))
            return []
        self._entries += len(entries)
        if len(entries) > remaining:
            # The system lists entries unsorted: a part of this folder would differ from run to run.
            self._report(
                label or ".",
                f"The folders hold more than {self.limits.entries_max:,} entries; this one was not read.",
            )
            return []
        return sorted(entries, key=lambda entry: (entry.is_symlink(), entry.name))

    def _file(self, real: str, label: str, status: os.stat_result) -> Iterator[SourceFile]:
        if not stat.S_ISREG(status.st_mode):
            self._report(label, f"It is {_kind(status.st_mode)}, not a file.")
        elif self._first_time(status):
            yield SourceFile(real=real, shown=label)

    def _first_time(self, status: os.stat_result) -> bool:
        identity = (status.st_dev, status.st_ino)
        if identity in self._seen:
            return False
        self._seen.add(identity)
        return True

    def _report(self, path: str, reason: str) -> None:
        self.problems.append(Problem(path=path, reason=reason))


def read_file(path: str, bytes_max: int) -> bytes:
    """Read a regular file. Raises SourceError, whose message is a predicate.

    Never blocks: a file that became a pipe or a device since it was listed is refused.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(path, flags), "rb", buffering=0) as opened:
            status = os.fstat(opened.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise SourceError("is not a regular file")
            if status.st_size > bytes_max:
                raise SourceError(
                    f"has {_megabytes(status.st_size)}; at most {_megabytes(bytes_max)} are allowed"
                )
            data = read_up_to(opened.fileno(), bytes_max + 1)
    except OSError as error:
        raise SourceError(f"cannot be opened: {_strerror(error)}") from error
    if len(data) > bytes_max:
        raise SourceError(f"grew beyond the {_megabytes(bytes_max)} that are allowed")
    return data


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"


def _os_reason(error: OSError, *, what: str = "file") -> str:
    return f"The {what} cannot be opened: {_strerror(error)}."


def _strerror(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _printable(name: str) -> str:
    """Escape the invisible parts of `name`: undecodable bytes, terminal controls, hidden marks."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _kind(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "a pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device"
