"""The self-test of the tiers, which reveals one that would silently fall back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from frasier.kernel.errors import FrasierError
from frasier.llm.prompt_inputs import SelfTestInputs
from frasier.llm.reply_schemas import SelfTestReply
from frasier.llm.tiers import Tier
from frasier.llm.types import Purpose, Reply, Request, Section

_QUESTION = "Which word says that you are ready to work? Answer with the word “ready”."


class SelfTestStatus(StrEnum):
    OK = "ok"
    DEGRADED = "degraded"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTestResult:
    """The result for one tier: ok, degraded if a lower tier answered in its place, or error.

    `model` answered, empty if none did; `reason` explains a result that is not ok.
    """

    status: SelfTestStatus
    model: str = ""
    reason: str = ""
    latency_ms: int


async def self_test(ask: Callable[[Request], Awaitable[Reply]]) -> dict[Tier, SelfTestResult]:
    """Ask every tier at the same time."""
    results = await asyncio.gather(*(_test(tier, ask) for tier in Tier))
    return dict(zip(Tier, results, strict=True))


async def _test(tier: Tier, ask: Callable[[Request], Awaitable[Reply]]) -> SelfTestResult:
    request = Request(
        purpose=Purpose.SELF_TEST,
        version=1,
        tier=tier,
        inputs=SelfTestInputs(question=_QUESTION),
        system="You are tested for being there. Answer as asked.",
        sections=(Section(title="Question", text=_QUESTION, fixed=True),),
        reply_type=SelfTestReply,
        max_output_tokens=200,
        temperature=0.0,
    )
    started = time.monotonic()
    try:
        reply = await ask(request)
    except FrasierError as error:
        return SelfTestResult(
            status=SelfTestStatus.ERROR,
            reason=" ".join(part for part in (error.message, error.hint) if part),
            latency_ms=_since(started),
        )
    return SelfTestResult(
        status=SelfTestStatus.DEGRADED if reply.degraded else SelfTestStatus.OK,
        model=reply.model,
        reason="; ".join(reply.notes),
        latency_ms=_since(started),
    )


def _since(started: float) -> int:
    return int((time.monotonic() - started) * 1_000)
