"""Conversion of an error response to the error that the server raised. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frasier.board import DecisionNeeded
from frasier.kernel import errors
from frasier.kernel.errors import AllProvidersFailed, BadReply, FrasierError

_CLASSES: Mapping[str, type[FrasierError]] = {
    error_class.code: error_class
    for error_class in vars(errors).values()
    if isinstance(error_class, type) and issubclass(error_class, FrasierError)
}


def error_from_response(status: int, body: Any) -> FrasierError:
    """Return the error of a response; a BadReply if its body does not describe one."""
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict) or not isinstance(error.get("message"), str):
        return BadReply(
            f"The server answered with status {status} and no reason.",
            hint="Check that it is a Frasier server.",
        )
    kept, hint, number = (str(error.get(name, "")) for name in ("kept", "hint", "number"))
    message, code = error["message"], error.get("code")
    if code == DecisionNeeded.code:
        return DecisionNeeded(message, question=None, kept=kept, hint=hint)
    error_class = _CLASSES.get(str(code), FrasierError)
    if error_class is AllProvidersFailed:
        return AllProvidersFailed(message, hint=hint)
    return error_class(message, kept=kept, hint=hint, number=number)
