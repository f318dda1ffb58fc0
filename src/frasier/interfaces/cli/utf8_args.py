"""What was typed and is no text: bytes that are not UTF-8, which Python spells as halves of characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

CONVERT = "Convert it first, as with `iconv -t utf-8`."

_UNREADABLE = re.compile("[\ud800-\udfff]")


def refuse_broken_text(given: Mapping[str, Any]) -> None:
    """Raises InvalidInput where what was typed is not UTF-8: stored, it would lack what could not be read."""
    from frasier.kernel.errors import InvalidInput

    if any(_UNREADABLE.search(text) for text in _texts(given)):
        raise InvalidInput(
            "What was typed is not UTF-8 text.", number="E012", kept="Nothing was changed.", hint=CONVERT
        )


def _texts(value: Any) -> Iterator[str]:
    """Every text of a value, names as well. It does not call itself: JSON may be deeper than our own calls."""
    left = [value]
    while left:
        match left.pop():
            case str() as text:
                yield text
            case PurePath() as path:
                yield str(path)
            case Mapping() as named:
                left += [*named.keys(), *named.values()]
            case list() | tuple() as items:
                left += items
