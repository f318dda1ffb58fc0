"""Cursors of lists: a place in the answers to one query, opaque to the client. Pure."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from frasier.interfaces.resources import PLACES
from frasier.kernel.errors import InvalidInput

_DIGEST_CHARS = 16
_UNBOUND = PLACES | {"limit"}


def make_cursor(operation: str, arguments: Mapping[str, Any], after: str) -> str:
    """Return the cursor of the place `after` in the answers to a query."""
    text = f"{_digest(operation, arguments)}{after}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def place_of_cursor(cursor: str, operation: str, arguments: Mapping[str, Any]) -> str:
    """Return the place that a cursor stands for; raise InvalidInput if it is of another query, or none."""
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        text = ""
    if not text.startswith(_digest(operation, arguments)):
        raise InvalidInput(
            "The cursor does not belong to this query.",
            number="E030",
            kept="Nothing was read.",
            hint="Follow the link `next` of the page before as it is; only limit may be changed.",
        )
    return text[_DIGEST_CHARS:]


def _digest(operation: str, arguments: Mapping[str, Any]) -> str:
    bound = {name: value for name, value in arguments.items() if name not in _UNBOUND}
    text = json.dumps([operation, bound], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_CHARS]
