"""What is handed over of a memory when only some of its sections are asked for, and what that truly saves. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from frasier.kernel.errors import InvalidInput
from frasier.kernel.text import shorten
from frasier.memory.files.anchors import Section, read_anchors, resolve
from frasier.memory.files.outline import Outline, outline

ANCHORS_REQUESTED_MAX = 50
SNIPPET_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveredSection:
    """One section: what was asked for, the id that answered, and its text."""

    requested: str
    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """The text that is handed over and how it came about. Tokens are those of the caller's counter.

    `is_snippet` says that no section was found and `text` is only the beginning of the memory; then nothing
    counts as saved, because what was wanted was not delivered.
    """

    text: str
    sections: tuple[DeliveredSection, ...]
    anchors_missing: tuple[str, ...]
    is_snippet: bool
    original_tokens: int
    returned_tokens: int

    @property
    def anchors_found(self) -> tuple[str, ...]:
        """The ids of the sections that were found, in the order in which they were asked for."""
        return tuple(section.id for section in self.sections)

    @property
    def saved_tokens(self) -> int:
        """How many tokens fewer than the whole memory the found sections have."""
        return 0 if self.is_snippet else max(0, self.original_tokens - self.returned_tokens)


def deliver_sections(content: str, requested: Sequence[str], count_tokens: Callable[[str], int]) -> Delivery:
    """The sections of `content` that `requested` names; all of it where none is named; else its beginning.

    A section inside of another one that is delivered anyway is found, and its text is not repeated. Raises
    InvalidInput (E032) for more than ANCHORS_REQUESTED_MAX names.
    """
    if len(requested) > ANCHORS_REQUESTED_MAX:
        raise InvalidInput(
            f"{len(requested)} anchors are more than {ANCHORS_REQUESTED_MAX}.",
            hint="Ask for the whole memory instead.",
            number="E032",
        )
    original = count_tokens(content)
    if not requested:
        return _delivery(content, original=original, count_tokens=count_tokens)
    parts = outline(content)
    anchors = read_anchors(content, parts)
    # A section without text delivers nothing: it is as good as missing.
    filled = {
        name: section
        for name, section in anchors.sections.items()
        if content[section.start : section.end].strip()
    }
    resolution = resolve(requested, filled)
    wanted = {answer: filled[answer] for _, answer in resolution.found}
    found = tuple(
        DeliveredSection(requested=asked, id=answer, text=_text_of(wanted[answer], content))
        for asked, answer in resolution.found
    )
    texts = [
        _text_of(section, content)
        for section in wanted.values()
        if not _is_repeated(section, wanted.values())
    ]
    return _delivery(
        "\n\n".join(texts) if texts else _snippet(content, parts),
        original=original,
        count_tokens=count_tokens,
        sections=found,
        missing=resolution.missing,
        is_snippet=not texts,
    )


def _text_of(section: Section, content: str) -> str:
    return content[section.start : section.end].strip()


def _is_repeated(section: Section, wanted: Iterable[Section]) -> bool:
    """Whether another wanted section holds this one."""
    return any(
        other.start <= section.start and section.end <= other.end and other is not section for other in wanted
    )


def _delivery(
    text: str,
    *,
    original: int,
    count_tokens: Callable[[str], int],
    sections: tuple[DeliveredSection, ...] = (),
    missing: tuple[str, ...] = (),
    is_snippet: bool = False,
) -> Delivery:
    return Delivery(
        text=text,
        sections=sections,
        anchors_missing=missing,
        is_snippet=is_snippet,
        original_tokens=original,
        returned_tokens=count_tokens(text),
    )


def _snippet(content: str, parts: Outline) -> str:
    """The beginning of what a reader sees of the text, on one line: without comments, and code only if that is all."""
    words: list[str] = []
    length = 0
    for line in parts.lines:
        words += line.text.split()
        length += len(line.text)
        if length > 2 * SNIPPET_CHARS:
            break
    return shorten(" ".join(words or content.split()), SNIPPET_CHARS)
