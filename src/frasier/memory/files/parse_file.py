"""Parse the bytes of a Markdown file into text, properties and sections. Pure, and linear in the bytes."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from frasier.kernel.errors import InvalidInput
from frasier.kernel.limits import MEMORY_CHARS_MAX
from frasier.kernel.safe_yaml import read_mapping
from frasier.memory.files.anchors import AnchorFault, AnchorProblem, Anchors, read_anchors, resolve
from frasier.memory.files.frontmatter import Properties, divide, snake_case
from frasier.memory.files.markdown_outline import Outline, VisibleLine, outline
from frasier.memory.files.metadata import FileMetadata, metadata_of

FILE_BYTES_MAX = 10_000_000
CONTENT_CHARS_MIN = 10

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_TITLE = re.compile(r" {0,3}#[ \t]+(.*)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?")
_BULLET = re.compile(r"[ \t]*[-*+][ \t]+(.*)")
_TRAILING_MARKS = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_METADATA_ANCHOR = "metadata"
_BLOCK = "The metadata block"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedFile:
    """A parsed memory file. `body` is its text without the frontmatter; `sha256` is the digest of its bytes.

    `anchor_problems` count lines of the file; `warnings` report properties that could not be used.
    """

    title: str
    body: str
    metadata: FileMetadata
    anchor_problems: tuple[AnchorProblem, ...]
    warnings: tuple[str, ...]
    sha256: bytes


def parse_file(data: bytes, name: str) -> ParsedFile:
    """Parse the bytes of the file `name`, which is the fallback for its title.

    Raises InvalidInput: E012 not text, E013 too large, PF030 too short, PF031 too long, E090 and E030 for
    unreadable frontmatter.
    """
    if len(data) > FILE_BYTES_MAX:
        raise too_large(len(data))
    text = decode(data)
    divided = divide(text)
    _check_length(divided.body)
    parts = outline(divided.body, first_line=divided.body_line)
    anchors = read_anchors(divided.body, parts)
    block, warnings = _metadata_block(divided.body, parts, anchors)
    metadata = metadata_of(divided.properties, block, _listed_triggers(parts.lines))
    return ParsedFile(
        title=metadata.title or _first_heading(parts.lines) or PurePosixPath(name).stem,
        body=divided.body,
        metadata=metadata,
        anchor_problems=anchors.problems,
        warnings=(*divided.warnings, *metadata.warnings, *warnings),
        sha256=hashlib.sha256(data).digest(),
    )


def decode(data: bytes) -> str:
    """Decode `data` by its byte-order mark, else as UTF-8, with line feeds as line ends. Raises InvalidInput (E012)."""
    encoding = "utf-8"
    for mark, marked in _MARKS:
        if data.startswith(mark):
            encoding, data = marked, data.removeprefix(mark)
            break
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise _no_text(f"byte {error.start} is not {encoding.upper()}") from error
    if "\0" in text:
        raise _no_text("it contains NUL characters")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def too_large(size: int) -> InvalidInput:
    """The error for a file of `size` bytes."""
    return InvalidInput(
        f"The file is too large: {size / 1_000_000:,.1f} MB; at most {FILE_BYTES_MAX // 1_000_000} MB are read.",
        hint="Split it, or keep only what is worth remembering.",
        number="E013",
    )


def refuse_broken_anchors(problems: tuple[AnchorProblem, ...]) -> None:
    """Raise InvalidInput, with the number of the first problem, for duplicate or unpaired anchors."""
    broken = [problem for problem in problems if problem.fault is not AnchorFault.MALFORMED]
    if broken:
        more = f" And {len(broken) - 5} more." if len(broken) > 5 else ""
        raise InvalidInput(
            " ".join(problem.message for problem in broken[:5]) + more,
            hint="Open each anchor once with <!-- ANCHOR:id --> and close it with <!-- /ANCHOR:id -->.",
            number=broken[0].fault.value,
        )


def _no_text(why: str) -> InvalidInput:
    return InvalidInput(
        f"The file is not text: {why}.",
        hint="Save it as UTF-8, or as UTF-16 with a byte-order mark.",
        number="E012",
    )


def _check_length(body: str) -> None:
    length = len(body.strip())
    if length < CONTENT_CHARS_MIN:
        raise InvalidInput(
            f"The text is too short: {length} characters; a memory needs at least {CONTENT_CHARS_MIN}.",
            hint="Write what is worth remembering below the frontmatter.",
            number="PF030",
        )
    if len(body) > MEMORY_CHARS_MAX:
        raise InvalidInput(
            f"The text is too long: {len(body):,} characters; a memory has at most {MEMORY_CHARS_MAX:,}.",
            hint="Split it into several files.",
            number="PF031",
        )


def _metadata_block(body: str, parts: Outline, anchors: Anchors) -> tuple[Properties, tuple[str, ...]]:
    """The properties in the fenced YAML of the section `metadata`; if unreadable, a warning instead of an error."""
    resolved = resolve([_METADATA_ANCHOR], anchors.sections).found
    if not resolved:
        return {}, ()
    section = anchors.sections[resolved[0][1]]
    for fence in parts.fences:
        if fence.language in {"yaml", "yml"} and section.start <= fence.start < section.end:
            block = body[fence.content_start : fence.content_end]
            try:
                properties = read_mapping(block, label=_BLOCK, first_line=fence.line + 1)
                return snake_case(properties, label=_BLOCK), ()
            except InvalidInput as refused:
                return {}, (f"{refused.message} It was not used.",)
    return {}, ()


def _first_heading(lines: list[VisibleLine]) -> str:
    for line in lines:
        heading = _TITLE.fullmatch(line.text)
        if heading and (title := _TRAILING_MARKS.sub("", heading[1].strip()).strip()):
            return title
    return ""


def _listed_triggers(lines: list[VisibleLine]) -> Iterator[str]:
    """The bullets below a second-level heading "Trigger Phrases"."""
    listing = False
    for line in lines:
        if heading := _HEADING.fullmatch(line.text):
            words = _TRAILING_MARKS.sub("", (heading[2] or "").strip()).split()
            listing = heading[1] == "##" and [word.casefold() for word in words] == ["trigger", "phrases"]
        elif listing and (bullet := _BULLET.fullmatch(line.text)):
            phrase = " ".join(bullet[1].strip().strip("`\"'").split())
            if phrase:
                yield phrase
