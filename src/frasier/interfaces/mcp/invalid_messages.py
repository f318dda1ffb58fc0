"""Error responses to lines that are not JSON-RPC messages: the SDK sends none, and a host would wait forever. Pure."""

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


def error_for_line(line: str) -> JSONRPCError | None:
    """Return the error response to a line; None for a valid message and for a blank line."""
    if not line.strip():
        return None
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        return _invalid_line_error(line)
    # A request with an id of an invalid type is parsed as a notification, which would not be answered.
    return (
        _invalid_line_error(line)
        if isinstance(message, JSONRPCNotification) and "id" in from_json(line)
        else None
    )


def line_too_long_error(limit: int) -> JSONRPCError:
    """Return the error response to a line of more than `limit` bytes, which was not read to its end."""
    error = InvalidInput(
        f"A line has more than {limit:,} bytes.",
        number="E013",
        kept=_KEPT,
        hint="Send less at once; a long text can be saved in parts.",
    )
    return _error_message(None, INVALID_REQUEST, error)


def _invalid_line_error(line: str) -> JSONRPCError:
    try:
        message = from_json(line)
    except ValueError:
        error = InvalidInput(
            "A line is not JSON.",
            number="E030",
            kept=_KEPT,
            hint="Send one JSON-RPC message a line, in UTF-8.",
        )
        return _error_message(None, PARSE_ERROR, error)
    subject = "A batch" if isinstance(message, list) else "This"
    error = InvalidInput(
        f"{subject} is not a JSON-RPC message.",
        number="E030",
        kept=_KEPT,
        hint='Send one object a line, with "jsonrpc": "2.0", an id (a text or a whole number), a method, and params'
        " that are an object.",
    )
    return _error_message(_request_id(message), INVALID_REQUEST, error)


def _request_id(message: object) -> RequestId | None:
    request_id = message.get("id") if isinstance(message, dict) else None
    return request_id if isinstance(request_id, str | int) and not isinstance(request_id, bool) else None


def _error_message(request_id: RequestId | None, code: int, error: InvalidInput) -> JSONRPCError:
    data = ErrorData(code=code, message=error.message, data=error_facts(error, ToolCalls()))
    return JSONRPCError(jsonrpc="2.0", id=request_id, error=data)
