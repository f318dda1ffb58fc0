"""From a request to what the arms look for: checked, folded, with its purpose."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.errors import InvalidInput
from frasier.memory.access import Caller
from frasier.memory.recalling.types import RecallRequest
from frasier.memory.types import MemoryKind

QUERY_CHARS_MAX = 10_000
LIMIT_MAX = 100
CONCEPTS = range(2, 6)

_ASKED_FOR = frozenset({MemoryKind.MARKER, MemoryKind.CONVERSATION})


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """A request as the arms take it."""

    text: str
    scopes: tuple[str, ...]
    kinds: frozenset[MemoryKind]
    agent_id: UUID | None
    as_of: datetime | None
    expand: bool


def sought(caller: Caller, request: RecallRequest, *, expand: bool) -> Sought:
    """What to look for on the caller's behalf; raises InvalidInput or NotAllowed with the rule that is broken."""
    text = request.text if not request.concepts else " ".join((request.text, *request.concepts)).strip()
    if len(text) > QUERY_CHARS_MAX:
        raise InvalidInput(
            f"A query of {len(text)} characters is too long.",
            number="E042",
            hint=f"Ask with at most {QUERY_CHARS_MAX} characters.",
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
            f"An answer of {request.max_tokens} tokens holds nothing.",
            number="E092",
            hint="Leave the budget out, or give one of some hundred tokens.",
        )
    kinds = frozenset(MemoryKind) - _ASKED_FOR if request.kinds is None else request.kinds
    return Sought(
        text=text.replace("\0", " "),
        scopes=caller.allow(request.scopes),
        kinds=kinds,
        agent_id=request.agent_id,
        as_of=request.as_of,
        expand=expand,
    )
