"""Detection of queries that name a memory: by a trigger phrase, its title, its kind or its type. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from frasier.kernel.tokenizer import tokenize
from frasier.memory.trigger_keys import trigger_key, trigger_words
from frasier.memory.types import MemoryKind, MemoryType

# A title of one word ("Storage") would be named by half of all queries.
_TITLE_TERMS_MIN = 2

# Words that name a kind or type of memory, without ambiguous ones (task, working).
_KIND_WORDS = {
    kind: frozenset(tokenize(kind))
    for kind in (MemoryKind.LESSON, MemoryKind.DIRECTIVE, MemoryKind.DECISION, MemoryKind.OBSERVATION)
}
_TYPE_WORDS = {
    memory_type: frozenset(tokenize(memory_type))
    for memory_type in (
        MemoryType.EPISODIC,
        MemoryType.PROSPECTIVE,
        MemoryType.DECLARATIVE,
        MemoryType.PROCEDURAL,
        MemoryType.SEMANTIC,
        MemoryType.AUTOBIOGRAPHICAL,
    )
}


@lru_cache(maxsize=10_000)
def _title_terms(title: str) -> frozenset[str]:
    """Return the terms of a title, cached: titles recur with every recall, and tokenizing them dominates the cost."""
    return frozenset(tokenize(title))


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPattern:
    """A query, analysed once for all memories it is compared with; `kinds` and `types` are those it names."""

    terms: frozenset[str]
    phrase: str
    kinds: tuple[MemoryKind, ...]
    types: tuple[MemoryType, ...]

    @classmethod
    def of(cls, text: str) -> QueryPattern:
        terms = frozenset(tokenize(text))
        return cls(
            terms=terms,
            phrase=f" {' '.join(trigger_words(text))} ",
            kinds=tuple(kind for kind, words in _KIND_WORDS.items() if not terms.isdisjoint(words)),
            types=tuple(sort for sort, words in _TYPE_WORDS.items() if not terms.isdisjoint(words)),
        )

    def names(
        self, *, title: str, triggers: Collection[str], kind: MemoryKind, memory_type: MemoryType
    ) -> bool:
        """Return whether the query contains a trigger, the kind or type, or the title (or is part of the title)."""
        if kind in self.kinds or memory_type in self.types:
            return True
        return (bool(triggers) and self._holds_any(triggers)) or (bool(title) and self._is_title(title))

    def _holds_any(self, triggers: Collection[str]) -> bool:
        return any((key := trigger_key(trigger)) and f" {key} " in self.phrase for trigger in triggers)

    def _is_title(self, title: str) -> bool:
        if len(self.terms) < _TITLE_TERMS_MIN:
            return False
        terms = _title_terms(title)
        if len(terms) < _TITLE_TERMS_MIN:
            return False
        return terms <= self.terms or self.terms <= terms
