"""What a recall found, as JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from frasier.memory import Memory, RecallAnswer, RecallHit


def answer_json(answer: RecallAnswer) -> dict[str, Any]:
    """The whole answer: what was found and why, what binds everybody, and what is missing from it."""
    return {
        "hits": [_hit(hit) for hit in answer.hits],
        "binding": [_memory(memory) | {"text": memory.content} for memory in answer.binding],
        "seen": [{"id": str(stub.memory_id), "title": stub.title} for stub in answer.seen],
        "intent": answer.intent,
        "arms": {str(arm): found for arm, found in answer.arms.items()},
        "tokens": answer.tokens,
        "tokens_saved": answer.tokens_saved,
        "left_out": answer.left_out,
        "reranked": answer.reranked,
        "without_vector": answer.without_vector,
        "took_ms": {str(stage): round(ms, 2) for stage, ms in answer.took_ms.items()},
    }


def found_sentence(answer: RecallAnswer) -> str:
    """How much was found, for whoever reads one line."""
    found = f"{len(answer.hits)} found" if answer.hits else "Nothing found"
    return f"{found}, {len(answer.binding)} binding." if answer.binding else f"{found}."


def _hit(hit: RecallHit) -> dict[str, Any]:
    return _memory(hit.memory) | {
        "rank": hit.rank,
        "text": hit.delivered.text,
        "tokens": hit.delivered.tokens,
        "original_tokens": hit.delivered.original_tokens,
        "score": round(hit.score, 6),
        "relevance": round(hit.relevance, 6),
        "state": hit.state,
        "reason": hit.reason,
        "without_vector": hit.without_vector,
    }


def _memory(memory: Memory) -> dict[str, Any]:
    return {
        "id": str(memory.id),
        "title": memory.title,
        "kind": memory.kind,
        "scope": memory.scope,
        "tier": memory.tier,
        "type": memory.memory_type,
        "tags": list(memory.tags),
        "speaker": memory.speaker,
        "occurred_at": _when(memory.occurred_at),
        "created_at": _when(memory.created_at),
    }


def _when(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
