"""The folder of a deliverable: the text with its sources, every version of every step, and its provenance."""

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

from frasier.interfaces.publish.provenance import Dossier, provenance, read_dossier
from frasier.interfaces.publish.safe_markdown import inert
from frasier.interfaces.publish.table_files import table_files
from frasier.kernel.errors import InvariantBroken, ProviderUnavailable
from frasier.llm import Verification
from frasier.org.planning import Deliverable
from frasier.store import Effect, InTransaction
from frasier.work import cited_numbers, with_sources

_NAMES_SHOWN = 12
_REHEARSAL = (
    "> **Rehearsal.** No model is configured, so nothing here was written by one: a deterministic stand-in put it "
    "together from the sources, word for word.\n\n"
)
_DEGRADED = "> **Degraded.** A lower tier than asked for, or fewer means, made parts of this: see provenance.json.\n\n"


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
    ascii_title = unicodedata.normalize("NFKD", dossier.mission.title).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", ascii_title.lower()).strip("-")[:60].rstrip("-")
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
        _write(building / "deliverable.md", render_deliverable(dossier, final[1]))
        for versions in dossier.deliverables.values():
            for version in versions:
                folder = building / "steps" / dossier.tasks[version.task_id].slug
                folder.mkdir(parents=True, exist_ok=True)
                _write(folder / f"v{version.version}.md", render_deliverable(dossier, version))
        for name, content in table_files(dossier):
            (building / name).parent.mkdir(exist_ok=True)
            _write_bytes(building / name, content)
        _write(
            building / "provenance.json", json.dumps(provenance(dossier), indent=2, ensure_ascii=False) + "\n"
        )
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


def render_deliverable(dossier: Dossier, version: Deliverable) -> str:
    """A version as people read it: what it is, the text, and the sources that it cites."""
    labels_itself = "> Rehearsal:" in version.content
    banner = _REHEARSAL if version.rehearsal and not labels_itself else ""
    banner += _DEGRADED if version.degraded else ""
    sources = [(source.number, source.title, source.uri) for source in dossier.sources]
    notes = _verified(version.verification) + _left_out(dossier, version)
    return banner + inert(with_sources(version.content, sources) + notes)


def _verified(verification: Verification) -> str:
    """The verdict on the statements, so that a reader knows what was compared with the sources."""
    if not verification.statements:
        return ""
    doubt = " (what carries [doubtful] is not said by the sources cited)" if verification.doubtful else ""
    unchecked = (
        " Unchecked are free wording and other languages, which no computation can compare."
        if verification.unchecked
        else ""
    )
    return f"\n> {verification.headline}{doubt}.{unchecked}\n"


def _left_out(dossier: Dossier, version: Deliverable) -> str:
    """List sources that were read but are not cited, and those that could not be read: readers need not guess."""
    cited = set(cited_numbers(version.content))
    unused = [source.uri for source in dossier.sources if source.number not in cited]
    lines = []
    if unused:
        shown = ", ".join(unused[:_NAMES_SHOWN]) + (" …" if len(unused) > _NAMES_SHOWN else "")
        lines.append(f"At hand, but not cited ({len(unused)} of {len(dossier.sources)}): {shown}")
    if skipped := dossier.mission.skipped_sources:
        lines.append(f"Not readable, so left out ({len(skipped)}): {'; '.join(skipped[:_NAMES_SHOWN])}")
    return "".join(f"\n> {line}\n" for line in lines)


def _write(path: Path, text: str) -> None:
    _write_bytes(path, text.encode("utf-8"))


def _write_bytes(path: Path, content: bytes) -> None:
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
    """Whether the folder holds this mission's deliverable already."""
    final = dossier.final
    try:
        stored = json.loads((path / "provenance.json").read_text("utf-8"))
    except (OSError, ValueError):
        return False
    same_mission = stored.get("mission", {}).get("id") == str(dossier.mission.id)
    same_text = final is not None and (stored.get("deliverable") or {}).get("sha256") == final[1].digest
    return bool(same_mission and same_text)
