"""Whether a query names a memory: by a trigger phrase, by its title, or by the sort of memory it is. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from frasier.memory.tokens import tokenize
from frasier.memory.trigger_keys import trigger_key, trigger_words
from frasier.memory.types import MemoryKind, MemoryType

# A title of one word ("Storage") would be named by half of all queries.
_TITLE_TERMS_MIN = 2

# Words that ask for a sort of memory. Those that mean much else as well (task, working) are not among them.
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
_NO_WORDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPattern:
    """A query, taken apart once for all the memories that it is held against."""

    terms: frozenset[str]
    phrase: str

    @classmethod
    def of(cls, text: str) -> QueryPattern:
        return cls(terms=frozenset(tokenize(text)), phrase=f" {' '.join(trigger_words(text))} ")

    def names(
        self, *, title: str, triggers: Iterable[str], kind: MemoryKind, memory_type: MemoryType
    ) -> bool:
        """Whether the query holds a trigger phrase, the title (or the title the query), or the sort's name."""
        return self._asks_for(kind, memory_type) or self._holds_any(triggers) or self._is_title(title)

    def _asks_for(self, kind: MemoryKind, memory_type: MemoryType) -> bool:
        return not self.terms.isdisjoint(
            _KIND_WORDS.get(kind, _NO_WORDS) | _TYPE_WORDS.get(memory_type, _NO_WORDS)
        )

    def _holds_any(self, triggers: Iterable[str]) -> bool:
        return any((key := trigger_key(trigger)) and f" {key} " in self.phrase for trigger in triggers)

    def _is_title(self, title: str) -> bool:
        terms = frozenset(tokenize(title))
        if min(len(terms), len(self.terms)) < _TITLE_TERMS_MIN:
            return False
        return terms <= self.terms or self.terms <= terms
