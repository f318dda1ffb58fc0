"""The packing of documents into requests: several small ones together, a long one in parts. Pure.

A part begins where a section, a block, an item or a row begins, so that what a row of the table is read from stays
whole. Parts do not overlap: nothing is read twice, and together they have every word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from frasier.kernel.records import cells_of, named_cells
from frasier.kernel.source_lines import LIST_ITEM, joined_lines
from frasier.kernel.source_units import SourceText
from frasier.kernel.text import estimate_tokens, shorten
from frasier.llm import Passage
from frasier.work.research.documents.text_blocks import Unit, divide

_FRAME = '## Source {number}\n\n<source number="{number}" title="{title}">\n\n</source>\n\n'
_HEADING_CHARS = 200
_LATER_FRAME_TOKENS = 80  # the frame of a part, with what it stands under
_ROOM_MIN = 20
_TOKENS_PER_ENTRY = 80
"""The length of prose in which one more entry is expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackingLimits:
    """The bounds of a request: tokens of its documents, rows of its reply, and documents."""

    tokens_max: int
    rows_max: int
    documents_max: int

    def allow(self, *, tokens: int, rows: int, documents: int) -> bool:
        """Whether a request may have so much."""
        return tokens <= self.tokens_max and rows <= self.rows_max and documents <= self.documents_max

    def halved_for(self, part: DocumentPart) -> PackingLimits:
        """Return bounds by which a part alone is divided into halves, if it is not as short as can be."""
        return PackingLimits(
            tokens_max=min(self.tokens_max, part.tokens // 2 + _LATER_FRAME_TOKENS),
            rows_max=min(self.rows_max, max(1, -(-part.rows // 2))),
            documents_max=1,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPart:
    """A document, or a part of it that begins at character `start`; at most about `rows` are expected from it.

    `heading` is what the part stands under: headings, and the columns of a table that it continues. A part `continues`
    the last one if it begins within an entry.
    """

    number: int
    title: str
    text: str
    start: int = 0
    rows: int = 1
    heading: str = ""
    continues: bool = False

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.text) + frame_tokens(self.number, self.title)

    @property
    def passage(self) -> Passage:
        """The part as it stands in a request; the title of a later part tells what it stands under."""
        title = self.title
        if self.start:
            title = f"{title} (a later part{f', under {self.heading}' if self.heading else ''})"
        return Passage(number=self.number, title=title, text=self.text)


def pack_documents(
    documents: Sequence[SourceText], limits: PackingLimits, *, several_rows: bool = False
) -> list[tuple[DocumentPart, ...]]:
    """Pack documents into requests within the limits, short ones in their order.

    A document that is too long alone is divided into parts, each a request of its own. With `several_rows` a document
    has a row for each of its entries, otherwise one.
    """
    packed: list[tuple[DocumentPart, ...]] = []
    together: list[DocumentPart] = []
    for document in documents:
        parts = divide_document(document, limits, several_rows=several_rows)
        if len(parts) > 1:
            packed += [(part,) for part in parts]
            continue
        if together and not _fit([*together, *parts], limits):
            packed.append(tuple(together))
            together = []
        together += parts
    return [*packed, *([tuple(together)] if together else [])]


def divide_document(
    document: SourceText, limits: PackingLimits, *, several_rows: bool = False
) -> list[DocumentPart]:
    """Divide a document into as few parts as the limits allow: one, if it fits."""
    whole = DocumentPart(
        number=document.number,
        title=document.title,
        text=document.text,
        rows=count_entries(document.text) if several_rows else 1,
    )
    if _fit([whole], limits):
        return [whole]
    groups = list(_groups(document.text, limits, several_rows=several_rows))
    return [
        DocumentPart(
            number=document.number,
            title=document.title,
            text=document.text[group[0].start : group[-1].end],
            start=group[0].start,
            rows=max(1, sum(_entries_in(document.text, unit) for unit in group)) if several_rows else 1,
            heading=shorten(group[0].heading, _HEADING_CHARS),
            continues=not _begins_entry(document.text, group[0]),
        )
        for group in groups
    ] or [whole]


def frame_tokens(number: int, title: str) -> int:
    """Return the tokens of what a document stands in: its heading, number and title."""
    return estimate_tokens(_FRAME.format(number=number, title=title))


def count_entries(text: str) -> int:
    """Return how many entries a text may have: rows, items and lines one each, prose by its length; at least one."""
    return max(1, sum(_entries_in(text, unit) for unit in divide(text)))


def _entries_in(text: str, unit: Unit) -> int:
    """Return how many entries may begin in a unit: none in a line that goes on with a block of names and values."""
    own = text[unit.start : unit.end]
    begun = sum(1 for line in joined_lines(own) if line.text) if unit.begins_block else int(_is_entry(own))
    return max(begun, estimate_tokens(own) // _TOKENS_PER_ENTRY)


def _is_entry(line: str) -> bool:
    return bool(cells_of(line) or named_cells(line) or LIST_ITEM.match(line))


def _fit(parts: Sequence[DocumentPart], limits: PackingLimits) -> bool:
    return limits.allow(
        tokens=sum(part.tokens for part in parts),
        rows=sum(part.rows for part in parts),
        documents=len(parts),
    )


def _groups(text: str, limits: PackingLimits, *, several_rows: bool) -> Iterator[list[Unit]]:
    """Group the units of a text into parts that fit; each ends with an entry, unless that leaves it half empty."""
    room = max(_ROOM_MIN, limits.tokens_max - _LATER_FRAME_TOKENS)
    group: list[Unit] = []
    sizes: list[tuple[int, int]] = []
    for unit in (piece for whole in divide(text) for piece in _pieces(whole, text, room)):
        tokens = estimate_tokens(text[group[-1].end if group else unit.start : unit.end])
        size = (tokens, _entries_in(text, unit) if several_rows else 0)
        while group and not _has_room([*sizes, size], room, limits):
            at = _end_of_entries(text, group, sizes, unit, room)
            yield group[:at]
            group, sizes = group[at:], sizes[at:]
        group.append(unit)
        sizes.append(size)
    if group:
        yield group


def _has_room(sizes: Sequence[tuple[int, int]], room: int, limits: PackingLimits) -> bool:
    return sum(tokens for tokens, _ in sizes) <= room and sum(rows for _, rows in sizes) <= limits.rows_max


def _end_of_entries(
    text: str, group: Sequence[Unit], sizes: Sequence[tuple[int, int]], following: Unit, room: int
) -> int:
    """Return how many units of a full part end with an entry, where the rest goes to the next part."""
    if _begins_entry(text, following):
        return len(group)
    carried = 0
    for at in range(len(group) - 1, 0, -1):
        carried += sizes[at][0]
        if carried > room // 2:
            break
        if _begins_entry(text, group[at]):
            return at
    return len(group)


def _begins_entry(text: str, unit: Unit) -> bool:
    return unit.begins_section or unit.begins_block or _is_entry(text[unit.start : unit.end])


def _pieces(unit: Unit, text: str, room: int) -> Iterator[Unit]:
    """Yield a unit whole if it has room, otherwise in pieces that are cut between words."""
    start, is_first = unit.start, True
    while estimate_tokens(text[start : unit.end]) > room:
        blank = text.rfind(" ", start + 1, start + room)
        end = blank if blank > start else start + room
        yield replace(unit, start=start, end=end, begins_block=is_first and unit.begins_block)
        start, is_first = end, False
    yield replace(unit, start=start, begins_block=is_first and unit.begins_block)
