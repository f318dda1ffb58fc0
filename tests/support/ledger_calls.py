"""Calls for the ledger, with plausible figures."""

from __future__ import annotations

from frasier.kernel.text import fingerprint
from frasier.llm import CallState, Purpose, Tier
from frasier.llm.call_ledger import CallIntent, CallOutcome

CENT = 10_000


def intent(
    question: object = "q", *, usd_micros: int = CENT, tokens: int = 100, tier: Tier = Tier.T2
) -> CallIntent:
    return CallIntent(
        purpose=Purpose.SYNTHESIZE,
        prompt_version=2,
        tier_asked=Tier.T2,
        tier_served=tier,
        provider="openrouter.ai",
        model="vendor/model",
        fingerprint=fingerprint(question),
        reserved_usd_micros=usd_micros,
        reserved_tokens=tokens,
        rehearsal=False,
    )


def answered(
    text: str = "An answer.", *, cost: int = 4_000, tokens_in: int = 60, tokens_out: int = 20
) -> CallOutcome:
    return CallOutcome(
        state=CallState.SETTLED,
        cost_usd_micros=cost,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        reply_text=text,
        finish_reason="stop",
        duration_ms=12,
    )


def refused() -> CallOutcome:
    return CallOutcome(state=CallState.FAILED, error_code="provider_unavailable", error="no", duration_ms=1)
