"""From a memory's text to its postings: which terms, how often, under which keys. Pure."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from frasier.kernel.tokens import tokenize
from frasier.memory.wording import indexed_text

_TF_MAX = 32_767


@dataclass(frozen=True, slots=True, kw_only=True)
class Postings:
    """`length` counts every term; `keys` and `frequencies` belong together, one entry a distinct term."""

    length: int
    keys: list[int]
    frequencies: list[int]


class TermKeys:
    """The keys of terms within scopes, remembered for as long as one batch lasts.

    A key is the first eight bytes, signed, of BLAKE2b over scope, NUL and term: the same term in two scopes
    has two keys, so that a lookup in one scope does not even read the other's postings.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], int] = {}

    def key(self, scope: str, term: str) -> int:
        known = self._known.get((scope, term))
        if known is None:
            hashed = hashlib.blake2b(f"{scope}\0{term}".encode()).digest()[:8]
            known = self._known[scope, term] = int.from_bytes(hashed, "big", signed=True)
        return known

    def postings(
        self,
        *,
        scope: str,
        title: str,
        tags: Iterable[str],
        content: str,
        speaker: str | None = None,
        occurred_at: datetime | None = None,
    ) -> Postings:
        """The postings of a memory: it is found by its title, tags, content, speaker and day alike."""
        text = indexed_text(title=title, content=content, speaker=speaker, occurred_at=occurred_at)
        counted = Counter(tokenize("\n".join((text, " ".join(tags)))))
        return Postings(
            length=counted.total(),
            keys=[self.key(scope, term) for term in counted],
            frequencies=[min(count, _TF_MAX) for count in counted.values()],
        )
