"""Pages, their fragments, and the actions of their forms, as each module of pages declares them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeAlias
from urllib.parse import urlencode

from frasier.interfaces.services import Services
from frasier.interfaces.web.form import Form


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """The request of a page: its place in the address, and the fields of a form of it that was refused."""

    services: Services
    path: str
    params: Mapping[str, str]
    query: Mapping[str, str]
    sent: Mapping[str, str] = field(default_factory=dict)

    @property
    def now(self) -> datetime:
        """The moment of the reading: a page that stays open is read with the same request again."""
        return datetime.now(UTC)

    @property
    def address(self) -> str:
        """The path with its query: two tabs with the same address show the same."""
        return f"{self.path}?{urlencode(self.query)}" if self.query else self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """A part of a page that is replaced when it changes: the root element of its template has this id.

    It is sent when its HTML changes; with a `signature`, when that does. A fragment that holds others has one, made
    of what it shows itself.
    """

    id: str
    template: str
    values: Mapping[str, Any]
    signature: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContent:
    """The content of a page. Its template places each fragment with `fragment(id)`.

    `refresh_s` has it read again without an event while somebody looks at it, where what it shows passes by itself.
    """

    title: str
    fragments: tuple[Fragment, ...]
    values: Mapping[str, Any] = field(default_factory=dict)
    refresh_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRoute:
    """A page at a path with parameters in braces. `section` is the entry of the navigation that it belongs to."""

    path: str
    section: str
    template: str
    read: Callable[[PageRequest], Awaitable[PageContent]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadedFile:
    """A file that the browser saves under its name."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDownload:
    """Files at a path with parameters in braces, made when they are asked for."""

    path: str
    read: Callable[[PageRequest], Awaitable[DownloadedFile]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionResult:
    """The result of an action in a sentence, and the address of the page to go to; by default its own.

    A `secret` is shown once, in the answer itself: it stands in no address, no cookie and no log.
    """

    text: str
    go_to: str = ""
    secret: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRequest:
    """The request of an action: the services, the parameters of its path, and the form that was sent."""

    services: Services
    params: Mapping[str, str]
    form: Form


Act: TypeAlias = Callable[[ActionRequest], Awaitable[ActionResult]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormAction:
    """The action of a form that is sent to a path. Only the founder's sessions may; `files`: it takes files."""

    path: str
    act: Act
    files: bool = False
