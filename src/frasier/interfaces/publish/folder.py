"""The folder of a deliverable: written beside its place and renamed, so that it is there whole or not at all."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

from frasier.interfaces.deliverable_rendering import Dossier, read_dossier
from frasier.kernel.errors import InvariantBroken, ProviderUnavailable
from frasier.store import Effect, InTransaction

# Letters that no decomposition brings to ASCII.
_ASCII_SPELLINGS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


class FolderChannel:
    """A channel that writes the folder beside its final place and renames it: it exists whole or not at all."""

    kind = "publish.folder"
    reads_back = True

    def __init__(self, in_transaction: InTransaction) -> None:
        self._in_transaction = in_transaction

    async def send(self, effect: Effect) -> Mapping[str, Any]:
        dossier, destination = await self._read(effect), Path(effect.payload["destination"])
        try:
            path = await asyncio.to_thread(write_folder, dossier, destination)
        except OSError as error:
            raise ProviderUnavailable(
                f"Cannot write {folder_of(dossier, destination)}: {_cause(error)}.",
                kept="The deliverable is in the database.",
                hint="Make room, or make the place writable; it is tried again.",
            ) from error
        return {"path": str(path)}

    async def find(self, effect: Effect) -> Mapping[str, Any] | None:
        dossier = await self._read(effect)
        path = folder_of(dossier, Path(effect.payload["destination"]))
        return {"path": str(path)} if await asyncio.to_thread(_is_published, path, dossier) else None

    async def _read(self, effect: Effect) -> Dossier:
        return await self._in_transaction(read_dossier, UUID(effect.payload["mission"]))


def _cause(error: OSError) -> str:
    """Quote the system's error, with the file in the way if there is one."""
    reason = error.strerror or str(error)
    return (
        f"{reason} ({error.filename})" if isinstance(error, FileExistsError | NotADirectoryError) else reason
    )


def folder_of(dossier: Dossier, destination: Path) -> Path:
    """Return a mission's folder: named by its title, made unique by the end of its id."""
    spelled = dossier.mission.title.lower().translate(_ASCII_SPELLINGS)
    ascii_title = unicodedata.normalize("NFKD", spelled).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", ascii_title).strip("-")[:60].rstrip("-")
    return destination / f"{slug or 'mission'}-{str(dossier.mission.id)[-8:]}"


def write_folder(dossier: Dossier, destination: Path) -> Path:
    """Write the whole folder and return its path. Written again it replaces the same mission's folder only."""
    final = dossier.final
    if final is None:
        raise InvariantBroken(f"mission {dossier.mission.id} has nothing to publish")
    target = folder_of(dossier, destination)
    if _is_published(target, dossier):
        return target
    destination.mkdir(parents=True, exist_ok=True)
    building = destination / f".{target.name}.{os.getpid()}"
    shutil.rmtree(building, ignore_errors=True)
    building.mkdir()
    try:
        from frasier.interfaces.deliverable_rendering import folder_contents

        for name, content in folder_contents(dossier, *final).items():
            (building / name).parent.mkdir(parents=True, exist_ok=True)
            _write(building / name, content)
        for folder in (building, *(path for path in building.rglob("*") if path.is_dir())):
            _sync_directory(folder)
        if target.exists():
            shutil.rmtree(target)
        building.rename(target)
        _sync_directory(destination)
    finally:
        # With ours goes what was left by processes that were killed here. One that only slept tries again, and finds
        # the target made.
        for leftover in destination.glob(f".{target.name}.*"):
            shutil.rmtree(leftover, ignore_errors=True)
    return target


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync_directory(path: Path) -> None:
    """Make the names in a directory survive a loss of power, as `_write` does the contents."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _is_published(path: Path, dossier: Dossier) -> bool:
    """Whether the folder holds this version of the mission's deliverable already."""
    if dossier.final is None:
        return False
    final = dossier.final[1]
    try:
        stored = json.loads((path / "provenance.json").read_text("utf-8"))
    except (OSError, ValueError):
        return False
    published = stored.get("deliverable") or {}
    return bool(
        stored.get("mission", {}).get("id") == str(dossier.mission.id)
        and (published.get("version"), published.get("sha256")) == (final.version, final.digest)
    )
