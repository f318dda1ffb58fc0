"""The figures of a JSON document, and whether a text shows others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?")


def numbers_of(value: Any) -> Iterator[float]:
    """Yield every number of a document, and how many entries each list has."""
    if isinstance(value, dict):
        for one in value.values():
            yield from numbers_of(one)
    elif isinstance(value, list):
        for one in value:
            yield from numbers_of(one)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


def unknown_figures(texts: Iterable[str], document: Any) -> list[str]:
    """Return the texts with a number that is not one of the document as figures are written."""
    written = {form for number in numbers_of(document) for form in _forms(number)}
    bare = {text: text.replace("95 %", "") for text in texts}
    return [text for text, rest in bare.items() if not set(_NUMBER.findall(rest)) <= written]


def _forms(number: float) -> Iterator[str]:
    for form in (".2f", ".6g", ".3g", ".2g"):
        yield format(number, form)
    yield f"{number / 1_000_000:.6f}"
    yield f"{number:.1%}".removesuffix("%")
    yield f"{number:.0%}".removesuffix("%")
