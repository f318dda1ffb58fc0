"""What a reader hands back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What a reader made of a file's bytes. `title` is empty where the file names none.

    `links` are the absolute addresses that an HTML page links to, in the page's order.
    """

    title: str
    text: str
    notes: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
