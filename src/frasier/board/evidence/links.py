"""The port for looking up links. Its implementation reaches outside, and is wired from above."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLink:
    """The result of a look-up: whether the link resolves, the SHA-256 of its content, and the reason if it does not."""

    resolves: bool
    digest: str
    why: str = ""


class LinkChecker(Protocol):
    """A checker of links that never contacts addresses which must not be reached from outside."""

    async def check(self, link: str) -> FoundLink:
        """Look the link up. Never raises for an error of the link or its server: that is the result."""
        ...
