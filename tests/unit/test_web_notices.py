"""Notices that wait in a cookie for the page that is shown next."""

from __future__ import annotations

from http.cookies import SimpleCookie

import pytest
from starlette.requests import Request
from starlette.responses import Response

from frasier.interfaces.web.notices import PageNotice, read_notice, store_notice

COOKIE_BYTES_MAX = 4_096  # what browsers keep at least: name, value and attributes


def stored(text: str) -> tuple[str, str]:
    """Return the header that stores a notice, and what the next page reads."""
    response = Response()
    store_notice(response, PageNotice(text=text))
    header = response.headers["set-cookie"]
    sent = "; ".join(f"{one.key}={one.coded_value}" for one in SimpleCookie(header).values())
    request = Request({"type": "http", "headers": [(b"cookie", sent.encode())]})
    notice = read_notice(request)
    return header, notice.text if notice else ""


@pytest.mark.parametrize("text", ["Started.", "Größe: 5 €", "完成了。", "🙂", '"quoted"; and = and\nline'])
def test_a_notice_is_read_as_it_was_stored(text: str):
    assert stored(text)[1] == text


@pytest.mark.parametrize("char", ["a", "ö", "完", "🙂"])
def test_a_long_notice_of_any_script_fits_into_a_cookie(char: str):
    header, text = stored("Started: " + char * 5_000)
    assert len(header) <= COOKIE_BYTES_MAX
    assert text.startswith("Started: " + char * 500)
    assert text.endswith("…")


@pytest.mark.parametrize("value", ["", "not base64 ä", "/w==", "Ym9" * 3])
def test_a_cookie_that_nobody_stored_is_no_error(value: str):
    request = Request({"type": "http", "headers": [(b"cookie", f"frasier_notice={value}".encode("latin-1"))]})
    read_notice(request)
