"""What is asked of a model and what comes back: the values of this slice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, Protocol
from uuid import UUID

from pydantic import BaseModel

from frasier.llm.inputs import Inputs
from frasier.llm.tiers import Tier
from frasier.store import Tx


class Purpose(StrEnum):
    """Why a model is asked. A provider may act on it; the ledger groups by it."""

    PLAN = "plan"
    DECOMPOSE = "decompose"
    GAPS = "gaps"
    SYNTHESIZE = "synthesize"
    CRITIQUE = "critique"
    REVISE = "revise"
    REVIEW = "review"
    CLASSIFY = "classify"
    TALK = "talk"
    SELF_TEST = "self_test"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One titled part of a prompt. A `fixed` part is never cut; the others share what is left by `weight`.

    `fence` is a line before and a line after the text; both stay whole, whatever is cut between them.
    """

    title: str
    text: str
    fixed: bool = False
    weight: int = 1
    fence: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to a model.

    `inputs` are the typed facts behind the prompt; `system` and `sections` are the same facts as prose.
    `reply_type` is the Pydantic model that the reply must validate against, or None for plain text.
    `find_faults` tells why a plain text is no answer, a sentence each; such a text is asked for once more.
    `max_output_tokens` bounds the reply.
    """

    purpose: Purpose
    tier: Tier
    inputs: Inputs
    system: str
    sections: tuple[Section, ...]
    reply_type: type[BaseModel] | None = None
    find_faults: Callable[[str], Sequence[str]] | None = None
    max_output_tokens: int = 2_000
    temperature: float = 0.4


Guard = Callable[[Tx], Awaitable[None]]
"""Raises LeaseLost inside the open transaction when the run may not write any more."""


async def no_guard(_tx: Tx) -> None:
    """The guard of calls that belong to no lease, such as the self-test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Who pays for a call: the task and attempt it belongs to, its mission and agent, and the fence.

    In a new `round` of a task every question is asked, and paid, anew. Unusable replies count from `renewed_at`, when
    the founder last settled something about the task.
    """

    task_id: UUID | None = None
    attempt: int = 0
    round: int = 0
    mission_id: UUID | None = None
    agent_id: UUID | None = None
    phase: str = ""
    renewed_at: datetime | None = None
    guard: Guard = no_guard


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderCall:
    """One request as a provider sees it: already budgeted, priced and reserved."""

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
    """What a provider said. `finish_reason` is "stop" where the model ended by itself.

    `cost_usd_micros` is what the provider reports as the price of the call, where it does.
    """

    text: str
    finish_reason: str
    tokens_in: int
    tokens_out: int
    cost_usd_micros: int | None = None
    request_id: str = ""


class Provider(Protocol):
    """One way to reach models. Raises a ProviderError and nothing else.

    After ProviderTimeout and BadReply the call may have been billed; after any other error it was not.
    """

    @property
    def name(self) -> str: ...

    async def complete(self, call: ProviderCall) -> ProviderReply: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A checked, paid and stored answer.

    `degraded` is true where a lower tier than asked for answered. `rehearsal` is true where no model answered
    but the deterministic stand-in. `reused` is true where a call that was paid earlier gave the answer.
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
