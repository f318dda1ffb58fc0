"""A folder with a SKILL.md: its files, their common hash, and what its head says. Pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from frasier.kernel.errors import InvalidInput
from frasier.kernel.hostile_text.hidden_text import without_hidden_markup
from frasier.kernel.text import shorten

if TYPE_CHECKING:
    from frasier.kernel.safe_yaml import Value

SKILL_FILE = "SKILL.md"
FILES_MAX = 64
FILE_BYTES_MAX = 256 * 1024
TOTAL_BYTES_MAX = 1024 * 1024
PATH_CHARS_MAX = 200
DEPTH_MAX = 6
NOTHING_STORED = "Nothing was stored, and nothing of it was run."

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_NAME_CHARS_MAX = 64
_DESCRIPTION_CHARS_MAX = 1_024
_HEAD = re.compile(r"\A\ufeff?---[ \t]*\n(.*?)^---[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_TOOL = re.compile(r"([A-Za-z][\w:.-]*|\*)(?:\([^)]*\))?")
_VERSION_OF_HASH = b"frasier skill 1\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageFile:
    """A file of a folder; `path` is relative to it, with slashes."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillPackage:
    """A folder that has been read. `digest` is over the names and contents of all files.

    `method` is the text for agents, without what a reader of the page would not see. `tools` are those that it allows
    itself, None if it says nothing of them.
    """

    name: str
    description: str
    method: str
    tools: tuple[str, ...] | None
    properties: Mapping[str, Value]
    files: tuple[PackageFile, ...]
    digest: str

    @property
    def skill(self) -> str:
        """The name of the skill that it becomes."""
        return self.name.replace("-", "_")


def digest_of(files: Sequence[PackageFile]) -> str:
    """Return the SHA-256 over the names and contents of some files, whatever their order."""
    digest = hashlib.sha256(_VERSION_OF_HASH)
    for file in sorted(files, key=lambda file: file.path):
        path = file.path.encode()
        digest.update(b"%d %d\n" % (len(path), len(file.content)) + path + file.content)
    return digest.hexdigest()


def parse_package(files: Sequence[PackageFile]) -> SkillPackage:
    """Read the files of a folder as a skill; raise InvalidInput where they are none, or too many or too large."""
    from frasier.kernel.safe_yaml import read_mapping  # noqa: PLC0415 (YAML is slow to load)

    _check_sizes(files)
    text = _text_of(files)
    head = _HEAD.match(text)
    if head is None:
        raise refuse(f"{SKILL_FILE} has no head.", "Begin it with --- and close the head with ---.")
    try:
        properties = read_mapping(head[1], label=f"The head of {SKILL_FILE}", first_line=2)
    except InvalidInput as error:
        raise refuse(error.message, error.hint) from error
    name, description = properties.get("name"), properties.get("description")
    if not (isinstance(name, str) and _NAME.fullmatch(name) and len(name) <= _NAME_CHARS_MAX):
        raise refuse(
            f"{shorten(str(name), 60)!r} is not the name of a skill.",
            "Such as code-review: letters, digits and hyphens.",
        )
    if not (isinstance(description, str) and 0 < len(description) <= _DESCRIPTION_CHARS_MAX):
        raise refuse(
            f"The description of {name} has {len(str(description or '')):,} characters.",
            f"It has from 1 to {_DESCRIPTION_CHARS_MAX:,}.",
        )
    return SkillPackage(
        name=name,
        description=" ".join(description.split()),
        method=without_hidden_markup(text[head.end() :]).strip() or description,
        tools=_tools_of(properties.get("allowed-tools")),
        properties=properties,
        files=tuple(sorted(files, key=lambda file: file.path)),
        digest=digest_of(files),
    )


def check_path(path: str) -> None:
    """Raise InvalidInput for a path that leaves its folder, or cannot be shown."""
    parts = path.split("/")
    plain = path.isprintable() and "\\" not in path and len(path) <= PATH_CHARS_MAX
    if not plain or len(parts) > DEPTH_MAX or any(part in {"", ".", ".."} for part in parts):
        raise refuse(
            f"The path {shorten(repr(path), 120)} cannot be taken.",
            "Use short plain names inside the folder.",
        )


def refuse(message: str, hint: str) -> InvalidInput:
    """Return the refusal of a folder."""
    return InvalidInput(message, kept=NOTHING_STORED, hint=hint)


def _check_sizes(files: Sequence[PackageFile]) -> None:
    if len(files) > FILES_MAX:
        raise refuse(f"The folder has more than {FILES_MAX} files.", "Give the folder of one skill alone.")
    for file in files:
        check_path(file.path)
        if len(file.content) > FILE_BYTES_MAX:
            raise refuse(
                f"{file.path} is larger than {FILE_BYTES_MAX >> 10} KB.", "A skill is short; leave it out."
            )
    if sum(len(file.content) for file in files) > TOTAL_BYTES_MAX:
        raise refuse(
            f"The folder is larger than {TOTAL_BYTES_MAX >> 20} MB.", "Give the folder of one skill alone."
        )


def _text_of(files: Sequence[PackageFile]) -> str:
    content = next((file.content for file in files if file.path == SKILL_FILE), None)
    if content is None:
        raise refuse(f"The folder has no {SKILL_FILE}.", "Give the folder that holds it.")
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise refuse(f"{SKILL_FILE} is not UTF-8.", "Save it as UTF-8.") from None


def _tools_of(value: Value) -> tuple[str, ...] | None:
    if value is None:
        return None
    words = [str(one) for one in value] if isinstance(value, list) else [str(value)]
    return tuple(dict.fromkeys(tool for word in words for tool in _TOOL.findall(word)))
