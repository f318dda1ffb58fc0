"""Validation of a recall request, and its form for the arms."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.errors import InvalidInput
from frasier.memory.access import Caller
from frasier.memory.recall.types import RecallRequest
from frasier.memory.types import ASKED_FOR, MemoryKind, Period

QUERY_CHARS_MAX = 10_000
LIMIT_MAX = 100
CONCEPTS = range(2, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuery:
    """A validated request in the form that the arms use."""

    text: str
    scopes: tuple[str, ...]
    kinds: frozenset[MemoryKind]
    agent_id: UUID | None
    as_of: datetime | None
    period: Period
    expand: bool


def recall_query(caller: Caller, request: RecallRequest, *, expand: bool) -> RecallQuery:
    """Validate a request of the caller; raise InvalidInput or NotAllowed with the rule that it breaks."""
    text = request.text if not request.concepts else " ".join((request.text, *request.concepts)).strip()
    if len(text) > QUERY_CHARS_MAX:
        raise InvalidInput(
            f"A query of {len(text)} characters is too long.",
            number="E042",
            hint=f"Use at most {QUERY_CHARS_MAX} characters.",
        )
    if not 1 <= request.limit <= LIMIT_MAX:
        raise InvalidInput(
            f"A limit of {request.limit} is not between 1 and {LIMIT_MAX}.",
            number="E032",
            hint=f"Ask for 1 to {LIMIT_MAX} memories.",
        )
    if request.concepts and len(request.concepts) not in CONCEPTS:
        raise InvalidInput(
            f"{len(request.concepts)} concepts cannot be searched together.",
            number="E032",
            hint="Give two to five concepts, or a text.",
        )
    if request.max_tokens is not None and request.max_tokens < 1:
        raise InvalidInput(
            f"max_tokens is too small ({request.max_tokens}).",
            number="E092",
            hint="Omit it, or use a few hundred tokens.",
        )
    kinds = frozenset(MemoryKind) - ASKED_FOR if request.kinds is None else request.kinds
    return RecallQuery(
        text=text.replace("\0", " "),
        scopes=caller.allow(request.scopes),
        kinds=kinds,
        agent_id=request.agent_id,
        as_of=request.as_of,
        period=Period(since=request.occurred_from, before=request.occurred_before),
        expand=expand,
    )
