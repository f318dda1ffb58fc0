"""The answer to a line that is no message: the SDK gives none, and a host would wait for it for ever. Pure."""

from __future__ import annotations

from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import from_json

from frasier.interfaces.advice import ToolCalls, error_facts
from frasier.kernel.errors import InvalidInput

_KEPT = "Nothing was read or changed."


def refusal_of(line: str) -> JSONRPCError | None:
    """The error that answers `line`; None for a message, and for a line with nothing on it."""
    if not line.strip():
        return None
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        return _refusal(line)
    # With an id that none can have it would pass for a notification, which nobody answers.
    return _refusal(line) if isinstance(message, JSONRPCNotification) and "id" in from_json(line) else None


def too_long(limit: int) -> JSONRPCError:
    """The error that answers a line of more than `limit` bytes, which nobody has read to its end."""
    error = InvalidInput(
        f"A line has more than {limit:,} bytes.",
        number="E013",
        kept=_KEPT,
        hint="Send less at once; a long text can be saved in parts.",
    )
    return _answer(None, INVALID_REQUEST, error)


def _refusal(line: str) -> JSONRPCError:
    try:
        said = from_json(line)
    except ValueError:
        error = InvalidInput(
            "A line is not JSON.",
            number="E030",
            kept=_KEPT,
            hint="Send one JSON-RPC message a line, in UTF-8.",
        )
        return _answer(None, PARSE_ERROR, error)
    what = "A batch" if isinstance(said, list) else "This"
    error = InvalidInput(
        f"{what} is no JSON-RPC message.",
        number="E030",
        kept=_KEPT,
        hint='Send one object a line, with "jsonrpc": "2.0", an id (a text or a whole number), a method, and params'
        " that are an object.",
    )
    return _answer(_id_of(said), INVALID_REQUEST, error)


def _id_of(message: object) -> RequestId | None:
    found = message.get("id") if isinstance(message, dict) else None
    return found if isinstance(found, str | int) and not isinstance(found, bool) else None


def _answer(request: RequestId | None, code: int, error: InvalidInput) -> JSONRPCError:
    data = ErrorData(code=code, message=error.message, data=error_facts(error, ToolCalls()))
    return JSONRPCError(jsonrpc="2.0", id=request, error=data)
