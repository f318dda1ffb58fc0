"""Postings of a memory's text: its terms, their frequencies and keys. Pure."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from frasier.kernel.tokenizer import tokenize
from frasier.memory.indexed_text import indexed_text

_TF_MAX = 32_767


@dataclass(frozen=True, slots=True, kw_only=True)
class Postings:
    """The postings of one text. `length` counts every term; `keys` and `frequencies` have one entry a distinct term."""

    length: int
    keys: list[int]
    frequencies: list[int]


class TermKeys:
    """The keys of terms within scopes, cached for one batch.

    A key is the first eight bytes, signed, of BLAKE2b over scope, NUL and term: the same term in two scopes
    has two keys, so that a lookup in one scope never reads the other's postings.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], int] = {}

    def key(self, scope: str, term: str) -> int:
        known = self._known.get((scope, term))
        if known is None:
            hashed = hashlib.blake2b(f"{scope}\0{term}".encode()).digest()[:8]
            known = self._known[scope, term] = int.from_bytes(hashed, "big", signed=True)
        return known

    def postings(self, attributes: Mapping[str, Any]) -> Postings:
        """Return the postings of a memory with these attributes: all words of its indexed text and of its tags."""
        scope = attributes["scope"]
        text = "\n".join((indexed_text(attributes), " ".join(attributes["tags"])))
        counted = Counter(tokenize(text))
        return Postings(
            length=counted.total(),
            keys=[self.key(scope, term) for term in counted],
            frequencies=[min(count, _TF_MAX) for count in counted.values()],
        )
