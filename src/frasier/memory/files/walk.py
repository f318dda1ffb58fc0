"""List the Markdown files below a folder: bounded, without following links, and reporting what is skipped."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from frasier.kernel.errors import InvalidInput
from frasier.memory.files.allowed_paths import FileState, InsidePath, printable

DEPTH_MAX = 10
FILES_MAX = 100_000

ENDINGS = (".md", ".markdown")
_TOO_DEEP = f"deeper than {DEPTH_MAX} folders"
_MACHINE_MADE = frozenset({"node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A skipped path, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFile:
    """A regular Markdown file and its state when it was listed."""

    inside: InsidePath
    state: FileState


@dataclass(slots=True)
class Walked:
    """The files and skipped paths of a folder, in the order of the paths."""

    files: list[ListedFile] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    def skip(self, path: str, reason: str) -> None:
        self.left_out.append(LeftOut(path=printable(path), reason=reason))


def walk(folder: InsidePath) -> Walked:
    """List every Markdown file below `folder`. Blocks: call it in a thread.

    Raises InvalidInput (E032) for more than FILES_MAX, because a partial list would look complete.
    """
    walked = Walked()
    pending = [(str(folder.path), 1)]
    while pending:
        path, depth = pending.pop()
        deeper = [(name, depth + 1) for name in _list(path, depth, folder.root, walked)]
        pending += reversed(deeper)
        if len(walked.files) > FILES_MAX:
            raise InvalidInput(
                f"{printable(folder.path)} contains more than {FILES_MAX:,} Markdown files.",
                kept="Nothing was read.",
                hint="Scan its folders one at a time.",
                number="E032",
            )
    return walked


def why_left_out(steps: Sequence[str]) -> str:
    """The reason why a walk skips the file at these path components from the root; empty if it does not."""
    if not steps or not steps[-1].lower().endswith(ENDINGS):
        return f"its name does not end in {' or '.join(ENDINGS)}"
    if len(steps) > DEPTH_MAX:
        return _TOO_DEEP
    return next(filter(None, map(_why_skipped, steps)), "")


def _why_skipped(name: str) -> str:
    if name.startswith("."):
        return "hidden"
    return "machine-generated" if name in _MACHINE_MADE else ""


def _list(path: str, depth: int, root: Path, walked: Walked) -> Iterator[str]:
    """Record the files of one folder and yield its subfolders."""
    try:
        with os.scandir(path) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError as error:
        walked.skip(path, f"cannot open the folder: {(error.strerror or 'unknown').lower()}")
        return
    for entry in entries:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            walked.skip(entry.path, f"cannot read its status: {(error.strerror or 'unknown').lower()}")
            continue
        is_folder = stat.S_ISDIR(status.st_mode)
        has_ending = entry.name.lower().endswith(ENDINGS)
        if stat.S_ISLNK(status.st_mode):
            if has_ending or entry.is_dir():
                walked.skip(entry.path, "a link")
        elif (is_folder or has_ending) and (reason := _why_skipped(entry.name)):
            walked.skip(entry.path, reason)
        elif is_folder and depth >= DEPTH_MAX:
            walked.skip(entry.path, _TOO_DEEP)
        elif is_folder:
            yield entry.path
        elif has_ending:
            _note_file(entry.path, status, root, walked)


def _note_file(path: str, status: os.stat_result, root: Path, walked: Walked) -> None:
    if not stat.S_ISREG(status.st_mode):
        walked.skip(path, "not a regular file")
    else:
        state = FileState(mtime_ns=status.st_mtime_ns, size=status.st_size)
        walked.files.append(ListedFile(inside=InsidePath(root=root, path=Path(path)), state=state))
