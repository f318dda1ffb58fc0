"""Links: what it means to look one up. Who does it reaches outside, and is wired from above."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLink:
    """Whether a link resolves, the SHA-256 of what it gave, and in words why not."""

    resolves: bool
    digest: str
    why: str = ""


class LinkChecker(Protocol):
    """Looks links up, guarded against addresses that nobody outside may reach."""

    async def check(self, link: str) -> FoundLink:
        """Never raises for what is wrong with the link or its server: that is what was found."""
        ...
