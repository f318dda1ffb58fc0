"""The values of this slice: requests to models and their replies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, Protocol
from uuid import UUID

from pydantic import BaseModel

from frasier.llm.tiers import Tier
from frasier.store import Tx

if TYPE_CHECKING:
    from frasier.llm.request_inputs import Inputs


class Purpose(StrEnum):
    """The purpose of a call. A provider may act on it; the ledger groups by it."""

    PLAN = "plan"
    DECOMPOSE = "decompose"
    GAPS = "gaps"
    SYNTHESIZE = "synthesize"
    CRITIQUE = "critique"
    REVISE = "revise"
    OUTLINE = "outline"
    SECTION = "section"
    COHERENCE = "coherence"
    EXTRACT = "extract"
    JUDGE = "judge"
    REVIEW = "review"
    CLASSIFY = "classify"
    TALK = "talk"
    ASK = "ask"
    STEER = "steer"
    PERSONA = "persona"
    UPSKILL = "upskill"
    METHOD = "method"
    COMPARE = "compare"
    ROUTINE_TURN = "routine_turn"
    ROUTINE_OUTCOME = "routine_outcome"
    IMPROVE = "improve"
    EVALUATE = "evaluate"
    SELF_TEST = "self_test"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A titled part of a prompt. A `fixed` part is never cut; the others share the rest by `weight`.

    `fence` is a line before and a line after the text; both stay whole when the text is cut. `shared` parts begin the
    prompts of a step alike, so that a provider's prompt cache serves them.
    """

    title: str
    text: str
    fixed: bool = False
    shared: bool = False
    weight: int = 1
    fence: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request to a model.

    `inputs` are the typed facts behind the prompt; `system` and `sections` are the same facts as prose; `version` is
    that of the prompt of its purpose.
    `reply_type` is the Pydantic model that the reply must validate against, or None for plain text.
    `find_faults` lists the faults of a plain text, or of a structured reply that fits its type, a sentence each; a
    faulty reply is requested once more.
    `max_output_tokens` bounds the reply.
    """

    purpose: Purpose
    version: int
    tier: Tier
    inputs: Inputs
    system: str
    sections: tuple[Section, ...]
    reply_type: type[BaseModel] | None = None
    find_faults: Callable[[Any], Sequence[str]] | None = None
    max_output_tokens: int = 2_000
    temperature: float = 0.4


Guard = Callable[[Tx], Awaitable[None]]
"""A guard that raises LeaseLost inside the open transaction if the run may no longer write."""


async def no_guard(_tx: Tx) -> None:
    """The guard of calls without a lease, such as the self-test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The payer of a call: its task and attempt, its mission and agent, and the write guard.

    In a new `round` of a task every question is asked, and paid for, again. Unusable replies count from `renewed_at`,
    when the founder last settled something about the task. `cap_usd_micros` is a cap of the task's own, where it is
    narrower than that of all tasks. A call in the background never takes the last place of those in flight, and its
    failures delay no other.
    """

    task_id: UUID | None = None
    attempt: int = 0
    round: int = 0
    mission_id: UUID | None = None
    agent_id: UUID | None = None
    phase: str = ""
    renewed_at: datetime | None = None
    cap_usd_micros: int | None = None
    in_background: bool = False
    guard: Guard = no_guard


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message of a conversation. Its first `shared_chars` characters begin other prompts of the step alike."""

    role: Literal["system", "user", "assistant"]
    content: str
    shared_chars: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderCall:
    """A request to a provider: budgeted, priced and reserved."""

    model: str
    messages: tuple[Message, ...]
    purpose: Purpose
    inputs: Inputs
    json_schema: dict[str, Any] | None
    schema_name: str
    max_output_tokens: int
    temperature: float
    timeout_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderReply:
    """The reply of a provider. `finish_reason` is "stop" if the model ended by itself.

    `tokens_cached` are those of `tokens_in` that came from the provider's prompt cache. `cost_usd_micros` is the cost
    that the provider reports, if it does.
    """

    text: str
    finish_reason: str
    tokens_in: int
    tokens_out: int
    tokens_cached: int = 0
    cost_usd_micros: int | None = None
    request_id: str = ""


class Provider(Protocol):
    """A provider of models. Raises a ProviderError and nothing else.

    After ProviderTimeout and BadReply the call may have been billed; after any other error it was not.
    """

    @property
    def name(self) -> str: ...

    async def complete(self, call: ProviderCall) -> ProviderReply: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A checked, paid and stored answer.

    `degraded` is true if a lower tier than requested answered, `rehearsal` if the deterministic stand-in answered, and
    `reused` if the answer was paid for by an earlier call.
    """

    call_id: UUID
    text: str
    parsed: BaseModel | None
    tier_asked: Tier
    tier_served: Tier
    provider: str
    model: str
    tokens_in: int
    tokens_out: int
    cost_usd_micros: int
    duration_ms: int
    degraded: bool = False
    rehearsal: bool = False
    reused: bool = False
    notes: tuple[str, ...] = field(default=())
