"""The result of a reader."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.kernel.source_places import PlaceMark


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """The text of a file. `title` is empty if the file names none.

    `links` are the absolute addresses that an HTML page links to, in the page's order. `marks` are the places where
    the pages of a PDF or the fragments of an HTML page begin in the text.
    """

    title: str
    text: str
    notes: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    marks: tuple[PlaceMark, ...] = ()
