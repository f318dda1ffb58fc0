"""What a question is after, and what that makes of a memory's worth. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from frasier.kernel.tokens import tokenize
from frasier.memory.types import MemoryKind


class Intent(StrEnum):
    """The purpose of a recall. `understand` is what is assumed when the words say nothing else."""

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

# Which kinds of memory serve a purpose better than others. Applied once, to a memory's worth.
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
    """`confidence` is the share of the telling words that point to the intent, 0 to 1."""

    intent: Intent
    confidence: float


def classify(text: str) -> Classified:
    """What `text` is after. Two intents that the words speak for equally are none: then it is to understand."""
    terms = set(tokenize(text))
    found = {intent: len(terms & cues) for intent, cues in _CUE_TERMS.items()}
    total = sum(found.values())
    best = max(found, key=lambda intent: found[intent])
    alone = sum(1 for count in found.values() if count == found[best]) == 1
    if total == 0 or not alone or found[best] / max(len(terms), 1) < _SURE_ENOUGH / 2:
        return Classified(intent=Intent.UNDERSTAND, confidence=0.0)
    return Classified(intent=best, confidence=found[best] / total)


def favour(intent: Intent, kind: MemoryKind) -> float:
    """The factor on a memory's worth for that purpose; 1 where it neither serves nor hinders."""
    return _FAVOURED[intent].get(kind, 1.0)
