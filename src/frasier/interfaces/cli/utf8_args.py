"""Rejection of arguments that are not UTF-8: Python decodes such bytes to lone surrogates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

CONVERT = "Convert it first, as with `iconv -t utf-8`."

_UNREADABLE = re.compile("[\ud800-\udfff]")


def refuse_broken_text(arguments: Mapping[str, Any]) -> None:
    """Raise InvalidInput if an argument is not UTF-8: stored, it would lack its undecodable bytes."""
    from frasier.kernel.errors import InvalidInput

    if any(_UNREADABLE.search(text) for text in _texts(arguments)):
        raise InvalidInput(
            "What was typed is not UTF-8 text.", number="E012", kept="Nothing was changed.", hint=CONVERT
        )


def _texts(value: Any) -> Iterator[str]:
    """Yield every text of a value, names as well. Not recursive: JSON may be nested deeper than Python's stack
    allows.
    """
    pending = [value]
    while pending:
        match pending.pop():
            case str() as text:
                yield text
            case PurePath() as path:
                yield str(path)
            case Mapping() as named:
                pending += [*named.keys(), *named.values()]
            case list() | tuple() as items:
                pending += items
