"""The one place that decides which paths may be read and written: what truly lies inside a configured folder.

It judges paths from callers, from links in files and from the database alike. A path is judged by where it leads,
and opened step by step from the root without following a link, so that nothing that is swapped in between counts.
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
from frasier.kernel.text import shorten
from frasier.memory.files.document import FILE_BYTES_MAX, too_large

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
        """From the root to the file."""
        return self.path.relative_to(self.root).parts


@dataclass(frozen=True, slots=True, kw_only=True)
class FileState:
    """What tells that a file changed: modification time in nanoseconds since 1970, and size in bytes."""

    mtime_ns: int
    size: int


class Roots:
    """The folders from which files become memories, and into which they are written."""

    def __init__(self, paths: Iterable[Path]) -> None:
        for path in (paths := tuple(paths)):
            if not path.is_absolute():
                raise ConfigurationError(
                    f"The memory folder {path} is not an absolute path.",
                    hint="Name each folder of FRASIER_MEMORY__ROOTS from the root of the file system.",
                )
        # The innermost first: a file belongs to the nearest root.
        canonical = {Path(os.path.realpath(path)) for path in paths}
        self.paths = tuple(sorted(canonical, key=lambda path: (-len(path.parts), path)))

    def resolve(self, path: str | os.PathLike[str]) -> InsidePath:
        """Where `path` leads, when that is inside a root. A relative path begins at a root.

        Raises InvalidInput: E014 for what is no usable path or lies in several roots, E011 for one outside of them.
        """
        given = os.fspath(path)
        self._check_spelling(given)
        if Path(given).is_absolute():
            return self._inside(Path(given), given)
        candidates = [self._inside(root / given, given) for root in self.paths]
        there = {found.path: found for found in candidates if os.path.lexists(found.path)}
        if len(there) > 1:
            raise self._refusal(given, "is in several of the memory folders", "E014")
        if not candidates:
            raise self._refusal(given, "is not in a memory folder", "E011")
        return next(iter(there.values()), candidates[-1])

    def _check_spelling(self, given: str) -> None:
        if not given.strip() or any(
            ord(character) < 32 or 127 <= ord(character) < 160 for character in given
        ):
            raise self._refusal(given, "is no path: it is empty or holds control characters", "E014")
        try:
            size = len(given.encode())
        except UnicodeEncodeError as error:
            raise self._refusal(given, "is no path: its name is not UTF-8", "E014") from error
        if size > PATH_BYTES_MAX:
            raise self._refusal(given, f"is longer than {PATH_BYTES_MAX} bytes", "E014")
        if ".." in given.split("/"):
            raise self._refusal(given, "goes upwards with ..", "E014")

    def _inside(self, joined: Path, given: str) -> InsidePath:
        try:
            real = Path(os.path.realpath(joined))
        except (OSError, ValueError) as error:
            raise self._refusal(given, "cannot be followed", "E014") from error
        for root in self.paths:
            if real.is_relative_to(root):
                if len(os.fsencode(real)) > PATH_BYTES_MAX:
                    raise self._refusal(given, f"leads to more than {PATH_BYTES_MAX} bytes of path", "E014")
                self._check_spelling(str(real))
                return InsidePath(root=root, path=real)
        raise self._refusal(given, "is not in a memory folder", "E011")

    def _refusal(self, given: str, problem: str, number: str) -> InvalidInput:
        if self.paths:
            hint = f"The memory folders are {', '.join(str(path) for path in self.paths)}."
        else:
            hint = "No memory folder is configured: set FRASIER_MEMORY__ROOTS."
        return InvalidInput(f"The path {printable(given)} {problem}.", hint=hint, number=number)


def printable(path: str | os.PathLike[str]) -> str:
    """`path` for people: what is no visible text spelled out, never longer than 300 characters."""
    spelled = os.fspath(path).encode("utf-8", "backslashreplace").decode()
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in spelled[:2_000])
    return shorten(shown, 300)


def read_inside(inside: InsidePath) -> tuple[bytes, FileState]:
    """The bytes of a regular file and their state. Blocks.

    Raises NotFound E010, and InvalidInput: E011 for what is no regular file or not ours to read, E013 too large.
    """
    with _opened(inside) as descriptor:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise InvalidInput(
                f"{printable(inside.path)} is not a regular file.",
                hint="Only Markdown files become memories, no pipes, devices or folders.",
                number="E011",
            )
        if status.st_size > FILE_BYTES_MAX:
            raise too_large(status.st_size)
        data = _read_up_to(descriptor, FILE_BYTES_MAX + 1)
    if len(data) > FILE_BYTES_MAX:
        raise too_large(len(data))
    return data, FileState(mtime_ns=status.st_mtime_ns, size=len(data))


def is_gone(roots: Roots, path: str) -> bool:
    """Whether no regular file stands at exactly `path` any more. What cannot be looked at counts as there.

    Raises InvalidInput where `path`, which may come from the database, is not inside a root.
    """
    inside = roots.resolve(path)
    if str(inside.path) != path:
        return True  # a folder above it is a link now: what it leads to has a path of its own
    try:
        status = os.lstat(inside.path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return not stat.S_ISREG(status.st_mode)


@contextmanager
def open_folder(inside: InsidePath, *, create: bool = False) -> Iterator[int]:
    """A descriptor of the folder that holds the file, reached from the root without following a link.

    With `create` the folders in between are made.
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
    shown = printable(inside.path)
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return NotFound(
            f"There is no file {shown}.", hint="Check the path, or scan its folder.", number="E010"
        )
    reason = (error.strerror or type(error).__name__).lower()
    if error.errno == errno.ELOOP:
        reason = "it is a link, or was replaced by one"
    return InvalidInput(
        f"{shown} cannot be opened: {reason}.",
        hint="Only regular files that this user may read become memories.",
        number="E011",
    )


def _read_up_to(descriptor: int, size: int) -> bytes:
    parts: list[bytes] = []
    left = size
    while left and (part := os.read(descriptor, min(left, 1 << 20))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
