"""Request bodies: JSON objects of a bounded size; reading stops as soon as the limit is exceeded."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any

from starlette.requests import Request

from frasier.interfaces.asgi_server import late_body_error
from frasier.interfaces.http.error_responses import HttpRefusal
from frasier.interfaces.http.limits import HttpRules
from frasier.kernel.errors import InvalidInput


async def read_object(request: Request, rules: HttpRules) -> dict[str, Any]:
    """Return the JSON object of the body. Raise HttpRefusal if it is invalid; the message never quotes the body."""
    _check_media_type(request)
    return _parse(await read_bytes(request, rules, bytes_max=rules.body_bytes_max))


async def read_bytes(request: Request, rules: HttpRules, *, bytes_max: int) -> bytes:
    """Return the body; raise HttpRefusal if it is larger than `bytes_max`, or does not arrive in time."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > bytes_max:
        raise too_large(bytes_max)
    return await _read_body(request, rules, bytes_max)


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


async def _read_body(request: Request, rules: HttpRules, bytes_max: int) -> bytes:
    body = bytearray()
    try:
        async with asyncio.timeout(rules.body_s):
            async for chunk in request.stream():
                body += chunk
                if len(body) > bytes_max:
                    raise too_large(bytes_max)
    except TimeoutError:
        raise late_body() from None
    return bytes(body)


def late_body() -> HttpRefusal:
    """Return the refusal of a body that does not arrive in time."""
    return HttpRefusal(408, late_body_error(), {"Connection": "close"})


def too_large(bytes_max: int) -> HttpRefusal:
    """Return the refusal of a body, or a file of it, that is larger than `bytes_max`."""
    error = InvalidInput(
        f"The body is larger than {bytes_max:,} bytes.",
        number="E013",
        kept="Nothing was saved.",
        hint="Send less at once.",
    )
    return HttpRefusal(413, error, {"Connection": "close"})


def _parse(body: bytes) -> dict[str, Any]:
    try:
        text = body.decode("utf-8")
        value = json.loads(
            text,
            object_pairs_hook=_reject_duplicate_names,
            parse_constant=_reject_constant,
            parse_float=_parse_finite_float,
        )
        if "\\u" in text:
            _check_text(value)
    except RecursionError:
        raise _invalid_body("it is nested too deeply") from None
    except UnicodeError:
        raise _invalid_body("it contains text that is not valid UTF-8") from None
    except json.JSONDecodeError as error:
        raise _invalid_body(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    except ValueError as error:
        raise _invalid_body(
            str(error) if isinstance(error, _InvalidJson) else "a number has too many digits"
        ) from None
    if not isinstance(value, dict):
        raise _invalid_body("it must be a JSON object")
    return value


class _InvalidJson(ValueError):
    """A fault of syntactically correct JSON, described without its values."""


def _reject_duplicate_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _InvalidJson("a name occurs twice in one object")
    return value


def _reject_constant(_literal: str) -> float:
    raise _InvalidJson("NaN and Infinity are not valid JSON")


def _parse_finite_float(literal: str) -> float:
    number = float(literal)
    if math.isinf(number):
        raise _InvalidJson("a number is too large")
    return number


def _check_text(value: Any) -> None:
    """Reject characters that only escapes can produce: NUL, and lone surrogates (UnicodeError)."""
    pending = [value]
    while pending:
        match pending.pop():
            case str() as text:
                if "\0" in text:
                    raise _InvalidJson("it contains NUL characters")
                text.encode("utf-8")
            case dict() as inner:
                pending += [*inner.keys(), *inner.values()]
            case list() as items:
                pending += items


def _invalid_body(reason: str) -> HttpRefusal:
    error = InvalidInput(
        f"The body is not valid: {reason}.",
        number="E030",
        kept="Nothing was saved.",
        hint="Send one JSON object with the fields that GET /api/v1/openapi.json describes for this path.",
    )
    return HttpRefusal(400, error)
