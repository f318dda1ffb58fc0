"""Skills for coding agents that this program ships, and installing them into a folder."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from frasier.kernel.errors import ConfigurationError, InvalidInput

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_PAGE = "SKILL.md"


class State(StrEnum):
    """State of an installed skill compared with the one that this program ships."""

    ABSENT = "not installed"
    CURRENT = "installed"
    OTHER = "installed, and not the same"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSkill:
    """A skill. `name` is also that of its folder; `files` are its files by their paths in it."""

    name: str
    description: str
    files: Mapping[str, bytes]

    def differing(self, skills: Path) -> list[Path]:
        """Return the files in a folder of skills that exist there and differ from those that this program ships."""
        found = ((skills / self.name / path, content) for path, content in self.files.items())
        return [path for path, content in found if os.path.lexists(path) and not _holds(path, content)]

    def state(self, skills: Path) -> State:
        """Return the state of the skill in a folder of skills."""
        there = [os.path.lexists(skills / self.name / path) for path in self.files]
        if not any(there):
            return State.ABSENT
        return State.CURRENT if all(there) and not self.differing(skills) else State.OTHER


@cache
def agent_skills() -> list[AgentSkill]:
    """Return the skills that this program ships."""
    folder = files("frasier").joinpath("skills_for_agents")
    found = [_read(entry) for entry in folder.iterdir() if entry.is_dir() and entry.joinpath(_PAGE).is_file()]
    return sorted(found, key=lambda skill: skill.name)


def install(skill: AgentSkill, skills: Path, *, force: bool) -> list[Path]:
    """Put the skill into a folder of skills: a new one appears whole, an existing one is replaced file by file.

    Returns the files that were written. Raises InvalidInput if a changed file would be lost, unless `force`;
    ConfigurationError if the folder cannot be written.
    """
    target = skills / skill.name
    made: list[Path] = []
    try:
        if (changed := skill.differing(skills)) and not force:
            raise InvalidInput(
                f"{changed[0]} is not what this program brings: it was changed, or is of another version.",
                kept="Nothing was written.",
                hint="Give --force to replace it.",
            )
        for missing in _missing(skills):
            missing.mkdir(exist_ok=True)
            made.append(missing)
        if not os.path.lexists(target):
            return _install_new(skill, target)
        wanted = {target / path: content for path, content in skill.files.items()}
        written = [path for path, content in wanted.items() if not _holds(path, content)]
        for path in written:
            _put(path, wanted[path])
    except OSError as error:
        _take_away(made)
        raise ConfigurationError(
            f"The skill cannot be written to {target}: {(error.strerror or type(error).__name__).lower()}.",
            kept="No file is half written.",
            hint="Name another folder with --to.",
        ) from error
    return written


def _missing(folder: Path) -> list[Path]:
    """Return the folders that must be made for this one, the outermost first."""
    return [place for place in (*reversed(folder.parents), folder) if not place.is_dir()]


def _take_away(made: list[Path]) -> None:
    """Remove the folders that were made, unless somebody has put anything into them."""
    for place in reversed(made):
        with suppress(OSError):
            place.rmdir()


def refuse_mistyped(skills: Path) -> None:
    """Raise InvalidInput if more of the path is missing than a folder of skills and its hidden parent: that is rather
    a typing error.
    """
    for place in _missing(skills.parent):
        if not place.name.startswith("."):
            raise InvalidInput(
                f"There is no folder {place}.",
                kept="Nothing was made.",
                hint="Make it first, or name another with --to.",
            )


def _install_new(skill: AgentSkill, target: Path) -> list[Path]:
    beside = Path(tempfile.mkdtemp(prefix=f".{skill.name}-", dir=target.parent))
    try:
        for path, content in skill.files.items():
            _put(beside / path, content)
        beside.chmod(0o755)
        beside.rename(target)
    except OSError:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    return [target / path for path in skill.files]


def _put(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and not path.is_symlink() and path.read_bytes() == content


def _read(folder: Traversable) -> AgentSkill:
    found = dict(_files(folder, ""))
    told = _front_matter(found[_PAGE].decode("utf-8"))
    return AgentSkill(name=told["name"], description=told["description"], files=found)


def _files(folder: Traversable, above: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{above}{entry.name}/")
        else:
            yield f"{above}{entry.name}", entry.read_bytes()


def _front_matter(page: str) -> dict[str, str]:
    """Return the text between the first two lines of dashes."""
    lines = page.split("---\n")[1].splitlines()
    return {name: said.strip() for name, _, said in (line.partition(":") for line in lines)}
