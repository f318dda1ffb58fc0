"""The intent of a query, and the kinds of memory that it favours. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from frasier.kernel.tokenizer import tokenize
from frasier.memory.types import MemoryKind


class Intent(StrEnum):
    """The purpose of a recall. `understand` is the default."""

    ADD_FEATURE = "add_feature"
    FIX_BUG = "fix_bug"
    REFACTOR = "refactor"
    SECURITY_AUDIT = "security_audit"
    FIND_DECISION = "find_decision"
    UNDERSTAND = "understand"


# The words are compared as terms, so "crashes" and "crash" are one.
_CUES: Mapping[Intent, str] = {
    Intent.ADD_FEATURE: "add implement build create introduce extend support feature new endpoint",
    Intent.FIX_BUG: "fix bug error crash fail broken wrong exception traceback regression debug issue hang",
    Intent.REFACTOR: "refactor restructure simplify extract rename clean move split tidy duplicate decouple",
    Intent.SECURITY_AUDIT: "security vulnerability vulnerable injection secret credential auth permission"
    " exploit leak cve audit xss csrf encryption",
    Intent.FIND_DECISION: "decide decision chose choose chosen rationale alternative adr tradeoff instead",
}
_CUE_TERMS = {intent: frozenset(tokenize(words)) for intent, words in _CUES.items()}
_SURE_ENOUGH = 0.25

# The kinds of memory that serve an intent better than others: factors on the score, applied once.
_FAVOURED: Mapping[Intent, Mapping[MemoryKind, float]] = {
    Intent.ADD_FEATURE: {MemoryKind.APPROACH: 1.1, MemoryKind.DECISION: 1.1},
    Intent.FIX_BUG: {MemoryKind.LESSON: 1.15, MemoryKind.APPROACH: 1.05},
    Intent.REFACTOR: {MemoryKind.DECISION: 1.1, MemoryKind.LESSON: 1.05},
    Intent.SECURITY_AUDIT: {MemoryKind.LESSON: 1.1, MemoryKind.DECISION: 1.1},
    Intent.FIND_DECISION: {MemoryKind.DECISION: 1.2},
    Intent.UNDERSTAND: {},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Classified:
    """A classified query. `confidence` is the share of the cue words that point to the intent, 0 to 1."""

    intent: Intent
    confidence: float


def classify(text: str) -> Classified:
    """Return the intent of `text`; `understand` if two intents are equally likely."""
    terms = set(tokenize(text))
    matches = {intent: len(terms & cues) for intent, cues in _CUE_TERMS.items()}
    total = sum(matches.values())
    best = max(matches, key=lambda intent: matches[intent])
    alone = sum(1 for count in matches.values() if count == matches[best]) == 1
    if total == 0 or not alone or matches[best] / max(len(terms), 1) < _SURE_ENOUGH / 2:
        return Classified(intent=Intent.UNDERSTAND, confidence=0.0)
    return Classified(intent=best, confidence=matches[best] / total)


def favour(intent: Intent, kind: MemoryKind) -> float:
    """Return the factor on the score of a memory of that kind for the intent; 1 if it makes no difference."""
    return _FAVOURED[intent].get(kind, 1.0)
