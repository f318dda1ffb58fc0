"""The web as runs are given it: a reader of pages for an assignment, and a reader of the founder's links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar
from uuid import UUID

from frasier.org.conversation import Attachment

_Run_contra = TypeVar("_Run_contra", contravariant=True)


class Assignment(Protocol):
    """The inputs of web research for a step."""

    @property
    def mission_id(self) -> UUID: ...

    @property
    def directive(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesRead:
    """The number of tried fetches, and notes on failures."""

    pages: int
    notes: tuple[str, ...]


class ReadPages(Protocol[_Run_contra]):
    """A reader of web pages, which stores them as sources of the assignment's mission."""

    async def read(
        self, run: _Run_contra, assignment: Assignment, queries: Sequence[str], *, limit: int
    ) -> PagesRead: ...


class ReadLinks(Protocol):
    """A reader of some links, and of nothing that they lead to."""

    async def read(self, links: Sequence[str]) -> list[Attachment]: ...
