"""Restrict reading and writing to paths inside the configured root folders.

All paths are checked here, whether from callers, from links in files or from the database. A path is resolved, then
opened component by component from the root without following links, so that no concurrent swap can redirect it.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from frasier.kernel.errors import ConfigurationError, InvalidInput, NotFound
from frasier.kernel.read_descriptor import read_up_to
from frasier.kernel.text import shorten
from frasier.memory.files.parse_file import FILE_BYTES_MAX, too_large

PATH_BYTES_MAX = 4096

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True, kw_only=True)
class InsidePath:
    """A canonical path inside a root: absolute, without links and dots. The file need not exist."""

    root: Path
    path: Path

    @property
    def steps(self) -> tuple[str, ...]:
        """The path components from the root to the file."""
        return self.path.relative_to(self.root).parts


@dataclass(frozen=True, slots=True, kw_only=True)
class FileState:
    """The state by which changes are detected: modification time in nanoseconds since 1970, and size in bytes."""

    mtime_ns: int
    size: int


class Roots:
    """The root folders of memory files."""

    def __init__(self, paths: Iterable[Path]) -> None:
        for path in (paths := tuple(paths)):
            if not path.is_absolute():
                raise ConfigurationError(
                    f"The memory folder {path} is not an absolute path.",
                    hint="Use absolute paths in FRASIER_MEMORY__ROOTS.",
                )
        # Innermost first: a file belongs to the nearest root.
        canonical = {Path(os.path.realpath(path)) for path in paths}
        self.paths = tuple(sorted(canonical, key=lambda path: (-len(path.parts), path)))

    def resolve(self, path: str | os.PathLike[str]) -> InsidePath:
        """Resolve `path` to a canonical path inside a root; a relative path is relative to the roots.

        Raises InvalidInput: E014 for an invalid path or one in several roots, E011 for one outside the roots.
        """
        text = os.fspath(path)
        self._check_text(text)
        if Path(text).is_absolute():
            return self._inside(Path(text), text)
        candidates = [self._inside(root / text, text) for root in self.paths]
        existing = {candidate.path: candidate for candidate in candidates if os.path.lexists(candidate.path)}
        if len(existing) > 1:
            raise self._refusal(text, "is in several of the memory folders", "E014")
        if not candidates:
            raise self._refusal(text, "is not in a memory folder", "E011")
        return next(iter(existing.values()), candidates[-1])

    def _check_text(self, text: str) -> None:
        if not text.strip() or any(ord(character) < 32 or 127 <= ord(character) < 160 for character in text):
            raise self._refusal(text, "is not valid: it is empty or contains control characters", "E014")
        try:
            size = len(text.encode())
        except UnicodeEncodeError as error:
            raise self._refusal(text, "is not valid: it is not UTF-8", "E014") from error
        if size > PATH_BYTES_MAX:
            raise self._refusal(text, f"is longer than {PATH_BYTES_MAX} bytes", "E014")
        if ".." in text.split("/"):
            raise self._refusal(text, "contains ..", "E014")

    def _inside(self, joined: Path, text: str) -> InsidePath:
        try:
            real = Path(os.path.realpath(joined))
        except (OSError, ValueError) as error:
            raise self._refusal(text, "cannot be resolved", "E014") from error
        for root in self.paths:
            if real.is_relative_to(root):
                if len(os.fsencode(real)) > PATH_BYTES_MAX:
                    raise self._refusal(text, f"resolves to more than {PATH_BYTES_MAX} bytes", "E014")
                self._check_text(str(real))
                return InsidePath(root=root, path=real)
        raise self._refusal(text, "is not in a memory folder", "E011")

    def _refusal(self, text: str, problem: str, number: str) -> InvalidInput:
        if self.paths:
            hint = f"The memory folders are {', '.join(str(path) for path in self.paths)}."
        else:
            hint = "No memory folder is configured: set FRASIER_MEMORY__ROOTS."
        return InvalidInput(f"The path {printable(text)} {problem}.", hint=hint, number=number)


def printable(path: str | os.PathLike[str]) -> str:
    """`path` for display: unprintable characters escaped, at most 300 characters."""
    decoded = os.fspath(path).encode("utf-8", "backslashreplace").decode()
    escaped = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in decoded[:2_000])
    return shorten(escaped, 300)


def read_inside(inside: InsidePath) -> tuple[bytes, FileState]:
    """Read the bytes of a regular file and its state. Blocks.

    Raises NotFound (E010), and InvalidInput for a file that is not regular or not readable (E011) or too large (E013).
    """
    with _opened(inside) as descriptor:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise InvalidInput(
                f"{printable(inside.path)} is not a regular file.",
                hint="Only Markdown files become memories, not pipes, devices or folders.",
                number="E011",
            )
        if status.st_size > FILE_BYTES_MAX:
            raise too_large(status.st_size)
        data = read_up_to(descriptor, FILE_BYTES_MAX + 1)
    if len(data) > FILE_BYTES_MAX:
        raise too_large(len(data))
    return data, FileState(mtime_ns=status.st_mtime_ns, size=len(data))


def is_gone(roots: Roots, path: str) -> bool:
    """Whether there is no regular file at exactly `path` any more; if that cannot be checked, it counts as present.

    Raises InvalidInput if `path`, which may come from the database, is not inside a root.
    """
    inside = roots.resolve(path)
    if str(inside.path) != path:
        return True  # a parent folder is a link now, and its target has a path of its own
    try:
        status = os.lstat(inside.path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return not stat.S_ISREG(status.st_mode)


@contextmanager
def open_folder(inside: InsidePath, *, create: bool = False) -> Iterator[int]:
    """Open the folder that contains the file, from the root without following links; yields the descriptor.

    With `create`, missing folders are created.
    """
    with _refusing_os_errors(inside):
        descriptor = os.open(inside.root, _FOLDER)
    try:
        for step in inside.steps[:-1]:
            with _refusing_os_errors(inside):
                if create:
                    _make_folder(step, descriptor)
                deeper = os.open(step, _FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = deeper
        yield descriptor
    finally:
        os.close(descriptor)


def _make_folder(name: str, parent: int) -> None:
    try:
        os.mkdir(name, dir_fd=parent)
    except FileExistsError:
        return
    os.fsync(parent)


@contextmanager
def _opened(inside: InsidePath) -> Iterator[int]:
    if not inside.steps:
        raise _os_refusal(inside, IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)))
    with open_folder(inside) as folder:
        with _refusing_os_errors(inside):
            descriptor = os.open(inside.steps[-1], _FILE, dir_fd=folder)
        try:
            yield descriptor
        finally:
            os.close(descriptor)


@contextmanager
def _refusing_os_errors(inside: InsidePath) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _os_refusal(inside, error) from error


def _os_refusal(inside: InsidePath, error: OSError) -> InvalidInput | NotFound:
    path = printable(inside.path)
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return NotFound(
            f"There is no file {path}.", hint="Check the path, or scan its folder.", number="E010"
        )
    reason = (error.strerror or type(error).__name__).lower()
    if error.errno == errno.ELOOP:
        reason = "it is a link or was replaced by one"
    return InvalidInput(
        f"Cannot open {path}: {reason}.",
        hint="Only regular files that this user can read become memories.",
        number="E011",
    )
