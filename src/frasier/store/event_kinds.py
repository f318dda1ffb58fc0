"""Patterns of the kinds of events: a kind itself, or the beginning of several followed by `*`. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from frasier.kernel.errors import InvalidInput
from frasier.kernel.text import shorten

_PATTERN = re.compile(r"[a-z0-9_.-]{1,100}\*?|\*")
_PATTERNS_MAX = 50


def check_kinds(patterns: Iterable[str]) -> tuple[str, ...]:
    """Return the patterns, each once; raise InvalidInput for one that can match no kind."""
    unique = tuple(dict.fromkeys(patterns))
    for pattern in unique:
        if not _PATTERN.fullmatch(pattern):
            raise InvalidInput(
                f"{shorten(pattern, 60)!r} is not a kind of events.",
                kept="Nothing was changed.",
                hint="Name a kind, such as task.moved, or the beginning of several, such as mission.*",
            )
    if len(unique) > _PATTERNS_MAX:
        raise InvalidInput(f"More than {_PATTERNS_MAX} kinds are named.", kept="Nothing was changed.")
    return unique


def matches_kind(kind: str, patterns: Collection[str]) -> bool:
    """Whether a kind matches one of the patterns; every kind does where there are none."""
    return not patterns or any(
        kind.startswith(pattern[:-1]) if pattern.endswith("*") else kind == pattern for pattern in patterns
    )
