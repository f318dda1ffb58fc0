"""Errors from the wire: an answer that refuses becomes the error that the server raised. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frasier.board import DecisionNeeded
from frasier.kernel import errors
from frasier.kernel.errors import AllProvidersFailed, BadReply, FrasierError

_KINDS: Mapping[str, type[FrasierError]] = {
    kind.code: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, FrasierError)
}


def rebuilt(status: int, body: Any) -> FrasierError:
    """The error that an answer of that status tells of; BadReply where it tells of none."""
    told = body.get("error") if isinstance(body, dict) else None
    if not isinstance(told, dict) or not isinstance(told.get("message"), str):
        return BadReply(f"The server answered {status} without saying why.", hint="Is that a Frasier server?")
    kept, hint, number = (str(told.get(name, "")) for name in ("kept", "hint", "number"))
    message, code = told["message"], told.get("code")
    if code == DecisionNeeded.code:
        return DecisionNeeded(message, question=None, kept=kept, hint=hint)
    kind = _KINDS.get(str(code), FrasierError)
    if kind is AllProvidersFailed:
        return AllProvidersFailed(message, hint=hint)
    return kind(message, kept=kept, hint=hint, number=number)
