"""Read the files of a commit of a Git repository. Nothing is checked out: no hook, filter or submodule can run."""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from frasier.board import DeclaredCommand, capture_command
from frasier.kernel.text import shorten
from frasier.org.skills.third_party.package import (
    FILE_BYTES_MAX,
    FILES_MAX,
    TOTAL_BYTES_MAX,
    PackageFile,
    check_path,
    refuse,
)

_SOURCE = re.compile(
    r"(?P<url>(?P<protocol>[a-z][a-z0-9+]*)://[^\s@#]+)@(?P<commit>[^@#]*)(?:#(?P<folder>[^#]*))?"
)
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SECONDS = 60
_MEMORY_MB = 1_024
_PACK_BYTES_MAX = 32 * 2**20
_OUTPUT_BYTES_MAX = 64 * 2**20
_PLAIN_FILES = frozenset({"100644", "100755"})
# Nothing of the machine's or the user's configuration holds, and nobody is asked for a password.
_ENVIRONMENT = (
    "GIT_CONFIG_GLOBAL=/dev/null",
    "GIT_CONFIG_SYSTEM=/dev/null",
    "GIT_CONFIG_NOSYSTEM=1",
    "GIT_ATTR_NOSYSTEM=1",
    "GIT_TERMINAL_PROMPT=0",
    "GIT_ASKPASS=false",
    "GIT_SSH_COMMAND=ssh -oBatchMode=yes",
    "GIT_LFS_SKIP_SMUDGE=1",
    "GIT_NO_REPLACE_OBJECTS=1",
    "GIT_OPTIONAL_LOCKS=0",
    "LC_ALL=C",
)
_OPTIONS = (
    *("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.symlinks=false"),
    *("-c", "fetch.recurseSubmodules=false", "-c", "submodule.recurse=false", "-c", "fetch.fsckObjects=true"),
    *(
        "-c",
        "http.followRedirects=false",
        "-c",
        "credential.helper=",
        "-c",
        "gc.auto=0",
        "-c",
        "maintenance.auto=false",
    ),
)
# Limits the size of each file that Git writes, and becomes Git.
_LIMITED = (
    "import os, resource, sys; size = int(sys.argv[1]); resource.setrlimit(resource.RLIMIT_FSIZE, (size, size));"
    " os.execvp(sys.argv[2], sys.argv[2:])"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitSource:
    """A folder of a repository at a commit; the top one if `folder` is empty."""

    url: str
    protocol: str
    commit: str
    folder: str = ""


def parse_commit_source(text: str) -> CommitSource | None:
    """Read URL@COMMIT or URL@COMMIT#FOLDER; None for a path. Raises InvalidInput for a commit that is not pinned."""
    if "://" not in text:
        return None
    match = _SOURCE.fullmatch(text)
    if match is None or not _COMMIT.fullmatch(match["commit"]):
        raise refuse(
            f"{shorten(text, 120)!r} names no commit, or carries a password.",
            "Write URL@COMMIT, with the whole hash of the commit: branches and tags can be moved.",
        )
    folder = (match["folder"] or "").strip("/")
    if folder:
        check_path(folder)
    return CommitSource(url=match["url"], protocol=match["protocol"], commit=match["commit"], folder=folder)


async def read_commit(source: CommitSource, *, protocols: Collection[str]) -> tuple[PackageFile, ...]:
    """Fetch one commit and return the files of its folder. Raises InvalidInput where it cannot be had or taken."""
    if source.protocol not in protocols:
        raise refuse(
            f"{source.protocol} is not among the permitted protocols.",
            f"Permitted are {', '.join(sorted(protocols))}.",
        )
    with tempfile.TemporaryDirectory(prefix="frasier-skill-") as place:
        folder = await asyncio.to_thread(lambda: Path(place).resolve())
        await _git(folder, "init", "--quiet", "--bare", "--template=", ".")
        await _git(
            folder,
            *("-c", "protocol.allow=never", "-c", f"protocol.{source.protocol}.allow=always"),
            *(
                "fetch",
                "--quiet",
                "--depth=1",
                "--no-tags",
                "--no-recurse-submodules",
                "--no-write-fetch-head",
            ),
            *("--", source.url, source.commit),
        )
        tree = f"{source.commit}:{source.folder}" if source.folder else source.commit
        entries = list(_entries(await _git(folder, "ls-tree", "-r", "-l", "-z", "--full-tree", tree)))
        _check(entries)
        objects = await _git(folder, "cat-file", "--batch", "--batch-all-objects")
        blobs = await asyncio.to_thread(_blobs, objects, {entry.blob for entry in entries})
    if missing := [entry.path for entry in entries if entry.blob not in blobs]:
        raise refuse(
            f"{missing[0]} of the commit could not be read.", "Fetch it by hand, and give the folder."
        )
    return tuple(PackageFile(path=entry.path, content=blobs[entry.blob]) for entry in entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    mode: str
    blob: str
    size: int
    path: str


def _entries(listing: bytes) -> Iterator[_Entry]:
    for line in listing.decode("utf-8", "replace").split("\0"):
        if line:
            head, _, path = line.partition("\t")
            mode, _, blob, size = head.split()
            yield _Entry(mode=mode, blob=blob, size=int(size) if size.isdigit() else 0, path=path)


def _check(entries: list[_Entry]) -> None:
    if not 0 < len(entries) <= FILES_MAX or sum(entry.size for entry in entries) > TOTAL_BYTES_MAX:
        raise refuse(
            f"The folder of the commit has no file, more than {FILES_MAX}, or more than {TOTAL_BYTES_MAX >> 20} MB.",
            "Name the folder of one skill: URL@COMMIT#FOLDER.",
        )
    for entry in entries:
        check_path(entry.path)
        if entry.mode not in _PLAIN_FILES:
            raise refuse(
                f"{entry.path} of the commit is a link or a submodule.", "A skill has plain files only."
            )
        if entry.size > FILE_BYTES_MAX:
            raise refuse(
                f"{entry.path} is larger than {FILE_BYTES_MAX >> 10} KB.", "A skill is short; leave it out."
            )


def _blobs(objects: bytes, names: set[str]) -> dict[str, bytes]:
    """Return the named blobs of a batch: for each a line with hash, kind and size, the content, and a line feed."""
    blobs: dict[str, bytes] = {}
    at = 0
    while at < len(objects):
        end = objects.index(b"\n", at)
        name, kind, size = objects[at:end].decode("ascii", "replace").split()
        start = end + 1
        at = start + int(size) + 1
        if kind == "blob" and name in names:
            blobs[name] = objects[start : at - 1]
    return blobs


async def _git(folder: Path, *arguments: str) -> bytes:
    limited = (sys.executable, "-I", "-c", _LIMITED, str(_PACK_BYTES_MAX))
    command = DeclaredCommand(
        name="git",
        arguments=("env", f"HOME={folder}", *_ENVIRONMENT, *limited, "git", *_OPTIONS, *arguments),
        folder=folder,
        timeout_s=_SECONDS,
        memory_mb=_MEMORY_MB,
    )
    result, output = await capture_command(command, bytes_max=_OUTPUT_BYTES_MAX)
    if not result.exited_well:
        raise refuse(
            f"Git could not read the commit: {shorten(' '.join((result.tail or result.why).split()), 300)}",
            "Check the address and the commit, and that git is installed.",
        )
    return output
