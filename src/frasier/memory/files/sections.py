"""Deliver only the requested sections of a memory, and compute the tokens saved. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from frasier.kernel.errors import InvalidInput
from frasier.kernel.text import shorten
from frasier.memory.files.anchors import AnchoredSection, read_anchors, resolve
from frasier.memory.files.markdown_outline import Outline, outline

ANCHORS_REQUESTED_MAX = 50
SNIPPET_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveredSection:
    """A delivered section: the requested id, the id of the section, and its text."""

    requested: str
    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """The delivered text and its sections. Tokens are those of the caller's counter.

    `is_snippet` means that no section was found and `text` is only the beginning of the memory; then nothing
    counts as saved, because the requested text was not delivered.
    """

    text: str
    sections: tuple[DeliveredSection, ...]
    anchors_missing: tuple[str, ...]
    is_snippet: bool
    original_tokens: int
    returned_tokens: int

    @property
    def anchors_found(self) -> tuple[str, ...]:
        """The ids of the sections found, in the requested order."""
        return tuple(section.id for section in self.sections)

    @property
    def saved_tokens(self) -> int:
        """The number of tokens saved compared with the whole memory."""
        return 0 if self.is_snippet else max(0, self.original_tokens - self.returned_tokens)


def deliver_sections(content: str, requested: Sequence[str], count_tokens: Callable[[str], int]) -> Delivery:
    """Deliver the `requested` sections of `content`, all of it if none is requested, its beginning if none is found.

    A section inside another delivered section counts as found, but its text is not repeated. Raises InvalidInput
    (E032) for more than ANCHORS_REQUESTED_MAX ids.
    """
    if len(requested) > ANCHORS_REQUESTED_MAX:
        raise InvalidInput(
            f"{len(requested)} anchors are too many; at most {ANCHORS_REQUESTED_MAX} are allowed.",
            hint="Ask for the whole memory instead.",
            number="E032",
        )
    original = count_tokens(content)
    if not requested:
        return _delivery(content, original=original, count_tokens=count_tokens)
    parts = outline(content)
    anchors = read_anchors(content, parts)
    # A section without text delivers nothing, so it counts as missing.
    filled = {
        name: section
        for name, section in anchors.sections.items()
        if content[section.start : section.end].strip()
    }
    resolution = resolve(requested, filled)
    selected = {section_id: filled[section_id] for _, section_id in resolution.found}
    delivered = tuple(
        DeliveredSection(requested=request, id=section_id, text=_text_of(selected[section_id], content))
        for request, section_id in resolution.found
    )
    texts = [
        _text_of(section, content)
        for section in selected.values()
        if not _is_nested(section, selected.values())
    ]
    return _delivery(
        "\n\n".join(texts) if texts else _snippet(content, parts),
        original=original,
        count_tokens=count_tokens,
        sections=delivered,
        missing=resolution.missing,
        is_snippet=not texts,
    )


def _text_of(section: AnchoredSection, content: str) -> str:
    return content[section.start : section.end].strip()


def _is_nested(section: AnchoredSection, selected: Iterable[AnchoredSection]) -> bool:
    """Whether another selected section contains this one."""
    return any(
        other.start <= section.start and section.end <= other.end and other is not section
        for other in selected
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
    """The beginning of the visible text on one line, without comments; code only if there is nothing else."""
    words: list[str] = []
    length = 0
    for line in parts.lines:
        words += line.text.split()
        length += len(line.text)
        if length > 2 * SNIPPET_CHARS:
            break
    return shorten(" ".join(words or content.split()), SNIPPET_CHARS)
