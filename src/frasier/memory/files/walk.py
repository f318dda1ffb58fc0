"""Which files of a folder are looked at: a walk that stays inside, ends, and names what it leaves out."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from frasier.kernel.errors import InvalidInput
from frasier.memory.files.roots import FileState, InsidePath, printable

DEPTH_MAX = 10
FILES_MAX = 100_000

ENDINGS = (".md", ".markdown")
_TOO_DEEP = f"deeper than {DEPTH_MAX} folders"
_MACHINE_MADE = frozenset({"node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something that was not looked at, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """A regular Markdown file and the state in which it was listed."""

    inside: InsidePath
    state: FileState


@dataclass(slots=True)
class Walked:
    """What a folder holds, in the order of the paths."""

    files: list[FoundFile] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    def skip(self, path: str, reason: str) -> None:
        self.left_out.append(LeftOut(path=printable(path), reason=reason))


def walk(folder: InsidePath) -> Walked:
    """Every Markdown file below `folder`. Blocks: call it in a thread.

    Raises InvalidInput (E032) where there are more than FILES_MAX: a part of them would look like the whole.
    """
    walked = Walked()
    pending = [(str(folder.path), 1)]
    while pending:
        path, depth = pending.pop()
        deeper = [(name, depth + 1) for name in _list(path, depth, folder.root, walked)]
        pending += reversed(deeper)
        if len(walked.files) > FILES_MAX:
            raise InvalidInput(
                f"{printable(folder.path)} holds more than {FILES_MAX:,} Markdown files.",
                kept="Nothing was read.",
                hint="Scan its folders one at a time.",
                number="E032",
            )
    return walked


def why_left_out(steps: Sequence[str]) -> str:
    """Why a walk would not come to the file at these steps from the root; empty where it would."""
    if not steps or not steps[-1].lower().endswith(ENDINGS):
        return f"its name does not end in {' or '.join(ENDINGS)}"
    if len(steps) > DEPTH_MAX:
        return _TOO_DEEP
    return next(filter(None, map(_why_skipped, steps)), "")


def _why_skipped(name: str) -> str:
    if name.startswith("."):
        return "hidden"
    return "made by a machine" if name in _MACHINE_MADE else ""


def _list(path: str, depth: int, root: Path, walked: Walked) -> Iterator[str]:
    """Notes the files of one folder and gives the folders below it."""
    try:
        with os.scandir(path) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError as error:
        walked.skip(path, f"the folder cannot be opened: {(error.strerror or 'unknown').lower()}")
        return
    for entry in entries:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            walked.skip(entry.path, f"it cannot be looked at: {(error.strerror or 'unknown').lower()}")
            continue
        is_folder = stat.S_ISDIR(status.st_mode)
        named_so = entry.name.lower().endswith(ENDINGS)
        if stat.S_ISLNK(status.st_mode):
            if named_so or entry.is_dir():
                walked.skip(entry.path, "a link")
        elif (is_folder or named_so) and (reason := _why_skipped(entry.name)):
            walked.skip(entry.path, reason)
        elif is_folder and depth >= DEPTH_MAX:
            walked.skip(entry.path, _TOO_DEEP)
        elif is_folder:
            yield entry.path
        elif named_so:
            _note_file(entry.path, status, root, walked)


def _note_file(path: str, status: os.stat_result, root: Path, walked: Walked) -> None:
    if not stat.S_ISREG(status.st_mode):
        walked.skip(path, "not a regular file")
    else:
        state = FileState(mtime_ns=status.st_mtime_ns, size=status.st_size)
        walked.files.append(FoundFile(inside=InsidePath(root=root, path=Path(path)), state=state))
