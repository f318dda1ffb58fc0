"""Bodies: JSON objects of a bounded size, read no further than they are wanted."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any

from starlette.requests import Request

from frasier.interfaces.asgi_server import late_body
from frasier.interfaces.http.error_responses import HttpRefusal
from frasier.interfaces.http.limits import HttpRules
from frasier.kernel.errors import InvalidInput


async def read_object(request: Request, rules: HttpRules) -> dict[str, Any]:
    """The JSON object that was sent; raises HttpRefusal with what is wrong with it, never with what it holds."""
    _check_media_type(request)
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > rules.body_bytes_max:
        raise _too_large(rules)
    return _parse(await _read(request, rules))


def _check_media_type(request: Request) -> None:
    media_type, _, parameters = request.headers.get("content-type", "").partition(";")
    charset = parameters.strip().lower().replace('"', "")
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if (
        media_type.strip().lower() != "application/json"
        or charset not in {"", "charset=utf-8"}
        or encoding != "identity"
    ):
        raise HttpRefusal(
            415,
            InvalidInput(
                "The body is not sent as JSON.",
                number="E030",
                kept="Nothing was read.",
                hint="Send it in UTF-8, not compressed, with Content-Type: application/json.",
            ),
        )


async def _read(request: Request, rules: HttpRules) -> bytes:
    body = bytearray()
    try:
        async with asyncio.timeout(rules.body_s):
            async for piece in request.stream():
                body += piece
                if len(body) > rules.body_bytes_max:
                    raise _too_large(rules)
    except TimeoutError:
        raise HttpRefusal(408, late_body(), {"Connection": "close"}) from None
    return bytes(body)


def _too_large(rules: HttpRules) -> HttpRefusal:
    said = InvalidInput(
        f"The body is larger than {rules.body_bytes_max:,} bytes.",
        number="E013",
        kept="Nothing was saved.",
        hint="Send less at once.",
    )
    return HttpRefusal(413, said, {"Connection": "close"})


def _parse(body: bytes) -> dict[str, Any]:
    try:
        text = body.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number, parse_float=_finite)
        if "\\u" in text:
            _check_characters(value)
    except RecursionError:
        raise _bad("it is nested too deeply") from None
    except UnicodeError:
        raise _bad("it holds what is no text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise _bad(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    except ValueError as error:
        raise _bad(str(error) if isinstance(error, _Wrong) else "a number has too many digits") from None
    if not isinstance(value, dict):
        raise _bad("it is no object")
    return value


class _Wrong(ValueError):
    """Describe the fault of JSON that can be parsed, without its values."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Wrong("a name stands twice in one object")
    return found


def _no_number(_spelled: str) -> float:
    raise _Wrong("NaN and Infinity are no JSON")


def _finite(literal: str) -> float:
    number = float(literal)
    if math.isinf(number):
        raise _Wrong("a number is too large")
    return number


def _check_characters(value: Any) -> None:
    """Escapes can spell what no text can hold: NUL, and half a surrogate pair (a UnicodeError)."""
    left = [value]
    while left:
        match left.pop():
            case str() as text:
                if "\0" in text:
                    raise _Wrong("it holds NUL characters")
                text.encode("utf-8")
            case dict() as inner:
                left += [*inner.keys(), *inner.values()]
            case list() as items:
                left += items


def _bad(why: str) -> HttpRefusal:
    said = InvalidInput(
        f"The body is not the JSON that is wanted: {why}.",
        number="E030",
        kept="Nothing was saved.",
        hint='Send one object, for example {"query": "why did we leave SQLite?"}.',
    )
    return HttpRefusal(400, said)
