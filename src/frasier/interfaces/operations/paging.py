"""Places in lists, from which a further page goes on: opaque texts, stable while entries are added. Pure."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import Field

from frasier.interfaces.operations.cli_option import CliOption
from frasier.interfaces.operations.storable_input import is_broken
from frasier.kernel.errors import InvalidInput

Row = TypeVar("Row")

After: TypeAlias = Annotated[
    str | None,
    Field(max_length=1_000, description="`next` of the page before"),
    CliOption(metavar="PLACE", help="Go on where a page ended: its `next`."),
]
"""The place after which a page begins, as the page before gave it."""


More: TypeAlias = Annotated[bool, Field(description="Whether there are more; a larger limit shows them")]


def first_of(rows: Sequence[Row], limit: int) -> tuple[tuple[Row, ...], bool]:
    """Return the first `limit` rows, and whether there are more: `rows` was read with one more than the limit."""
    return tuple(rows[:limit]), len(rows) > limit


def more_hint(*, more: bool) -> tuple[str, ...]:
    """Return what to do to see the rest of a list."""
    return ("There are more: raise limit.",) if more else ()


def place_text(key: Sequence[Any]) -> str:
    """Return the sort key of the last entry of a page as a text."""
    return base64.urlsafe_b64encode(json.dumps(list(key)).encode()).decode().rstrip("=")


def place_key(text: str | None, types: Sequence[type]) -> list[Any] | None:
    """Return the sort key in a place, of values of these types; raise InvalidInput if it is none."""
    if text is None:
        return None
    try:
        key = json.loads(base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True))
    except (ValueError, RecursionError):
        key = None
    if (
        not isinstance(key, list)
        or len(key) != len(types)
        or not all(type(value) is kind for value, kind in zip(key, types, strict=True))
        or any(isinstance(value, int) and abs(value) >= 2**63 for value in key)
        or any(isinstance(value, str) and is_broken(value) for value in key)
    ):
        raise InvalidInput(
            "This is no place of a list.",
            number="E030",
            kept="Nothing was read.",
            hint="Take `next` of the page before as it is, or leave it out to begin anew.",
        )
    return key
