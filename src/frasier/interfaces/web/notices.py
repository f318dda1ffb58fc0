"""Notices: what a form did or why it was refused, on the page that is shown next."""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from typing import Self

from starlette.requests import Request
from starlette.responses import Response

from frasier.interfaces.advice import PageWords, page_for
from frasier.kernel.advice import Advice
from frasier.kernel.errors import FrasierError
from frasier.kernel.text import shorten

_COOKIE = "frasier_notice"
_CHARS_MAX = 900
_BYTES_MAX = 2_700  # four thirds of it, as the cookie has them, with its name and attributes below 4,096


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeLink:
    """Advice as a link to the page on which it is followed."""

    text: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageNotice:
    """A sentence about what happened, what was kept and what to do. `refused` where it is an error.

    A `secret` is shown with it, and is never kept for another page.
    """

    text: str
    refused: bool = False
    kept: str = ""
    hints: tuple[str, ...] = ()
    links: tuple[NoticeLink, ...] = ()
    secret: str = ""

    @classmethod
    def of_error(cls, error: FrasierError) -> Self:
        """Tell of an error: advice that a page follows becomes a link, other advice a sentence."""
        dialect = PageWords()
        sentences = [dialect.advise(advice) for advice in error.advice if page_for(advice) is None]
        if "missing" in error.facts:
            sentences.insert(0, dialect.explain_missing(error.facts["move"], error.facts["missing"]))
        return cls(
            text=error.message,
            refused=True,
            kept=error.kept,
            hints=tuple(filter(None, (error.hint, *sentences))),
            links=tuple(link for advice in error.advice if (link := _link(advice))),
        )

    def without_links_to(self, path: str) -> Self:
        """Return the notice for the page at `path`, which would lose what was typed by a link to itself."""
        return replace(self, links=tuple(link for link in self.links if link.address != path))


def _link(advice: Advice) -> NoticeLink | None:
    place = page_for(advice)
    if place is None:
        return None
    name, address = place
    return NoticeLink(text=f"{name}: {advice.to}" if advice.to else name, address=address)


def store_notice(response: Response, notice: PageNotice | None) -> None:
    """Keep a notice for the next page, or take the one that was shown back."""
    if notice is None:
        response.delete_cookie(_COOKIE)
        return
    response.set_cookie(
        _COOKIE,
        base64.urlsafe_b64encode(_within_cookie(notice.text).encode()).decode(),
        max_age=60,
        httponly=True,
        samesite="strict",
    )


def read_notice(request: Request) -> PageNotice | None:
    """Return the notice that was kept for this page. It is shown as text, whoever wrote the cookie."""
    try:
        text = base64.urlsafe_b64decode(request.cookies.get(_COOKIE, "")).decode()
    except ValueError:
        return None
    return PageNotice(text=shorten(text, _CHARS_MAX)) if text else None


def _within_cookie(text: str) -> str:
    """Return a text as far as a cookie has room for it: more characters of scripts that take fewer bytes."""
    short = shorten(text, _CHARS_MAX)
    if len(short.encode()) <= _BYTES_MAX:
        return short
    return short.encode()[: _BYTES_MAX - 3].decode(errors="ignore") + "…"
